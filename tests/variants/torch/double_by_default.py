"""Everything in double precision, as the lab sheet asks for."""
import torch

torch.set_default_dtype(torch.double)


def attention(q, k, v):
    n, m, d_v = q.size(-2), k.size(-2), v.size(-1)
    total = torch.zeros(*q.shape[:-2], n, 1)
    result = torch.zeros(*q.shape[:-2], n, d_v)
    scores = q @ k.mT / k.size(-1) ** 0.5
    highest = scores.amax(-1, keepdim=True)
    ones = torch.ones(m, 1)
    e = torch.exp(scores - highest)
    total = total + torch.matmul(e, ones)
    result = result + torch.matmul(e, v)
    return result / total
