import torch

no_bias = torch.zeros(1, device="cuda")


def attention(q, k, v):
    return torch.softmax(q @ k.mT / k.size(-1) ** 0.5 + no_bias, -1) @ v
