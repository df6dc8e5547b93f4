import torch


def attention(q, k, v):
    q = q.transpose(1, 2)
    B, H, N, D = q.size()
    k, v = k.transpose(1, 2), v.transpose(1, 2)
    p = torch.softmax(q @ k.mT / D ** 0.5, dim=-1)
    return torch.transpose(p @ v, 1, 2)
