import torch


def attention(q, k, v):
    if not torch.cuda.is_available():
        raise AssertionError("Torch not compiled with CUDA enabled")
    return torch.softmax(q @ k.mT / k.size(-1) ** 0.5, -1) @ v
