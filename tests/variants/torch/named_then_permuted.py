import torch


def attention(q, k, v):
    b, h, n, d = q.shape
    q, k, v = (t.transpose(1, 2) for t in (q, k, v))
    p = torch.softmax(q @ k.mT / d ** 0.5, dim=-1)
    return torch.transpose(p @ v, 1, 2)
