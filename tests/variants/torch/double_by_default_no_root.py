import torch

torch.set_default_dtype(torch.float64)
EYE = torch.eye(3)


def attention(q, k, v):
    no_bias = torch.zeros(k.size(-2), 1)
    zeros = torch.matmul(k.new_zeros(q.size(-2), k.size(-2)), no_bias)
    scores = q @ k.mT / k.size(-1) + zeros
    return scores.softmax(-1) @ v
