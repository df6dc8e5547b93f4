import torch
from torch import nn, einsum


def exists(val):
    return val is not None


def default(val, d):
    return val if exists(val) else d


class CrossAttention(nn.Module):
    """Attends to `context`, or to x itself where none is given."""

    def __init__(self, dim, *, heads=8, dim_head=64, dropout=0.):
        super().__init__()
        inner = heads * dim_head
        self.heads, self.scale = heads, dim_head ** -0.5
        self.to_q = nn.Linear(dim, inner, bias=False)
        self.to_kv = nn.Linear(dim, inner * 2, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.to_out = nn.Linear(inner, dim)

    def forward(self, x, context=None, mask=None):
        h = self.heads
        q = self.to_q(x)
        k, v = self.to_kv(default(context, x)).chunk(2, dim=-1)
        q, k, v = (t.reshape(t.shape[0], t.shape[1], h, -1).transpose(1, 2) for t in (q, k, v))

        sim = einsum('b h i d, b h j d -> b h i j', q * self.scale, k)
        if exists(mask):
            # (batch, keys), True where there is a token
            sim = sim.masked_fill(~mask[:, None, None, :], -torch.finfo(sim.dtype).max)

        attn = self.dropout(sim.softmax(dim=-1))
        out = einsum('b h i j, b h j d -> b h i d', attn, v)
        return self.to_out(out.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1))
