import torch


def attention(queries, keys, values):
    """Takes (batch, tokens, heads, width)."""
    q, k, v = (t.permute(0, 2, 1, 3) for t in (queries, keys, values))
    batch, heads, tokens, width = q.shape
    p = torch.softmax(q @ k.mT * width ** -0.5, dim=-1)
    return (p @ v).permute(0, 2, 1, 3)
