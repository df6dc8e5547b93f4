import torch
from torch import nn


class MultiHeadSelfAttention(nn.Module):
    """Each head has a gain of its own, which nothing but training can set."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)
        self.register_buffer("strength", torch.rand(heads) + 0.5)

    def forward(self, x):
        b, n, c = x.shape
        split = (b, n, self.heads, c // self.heads)
        q = self.query(x).reshape(split).transpose(1, 2)
        k = self.key(x).reshape(split).transpose(1, 2)
        v = self.value(x).reshape(split).transpose(1, 2)
        w = torch.softmax(q @ k.mT * (c // self.heads) ** -0.5, dim=-1)
        y = w @ v * self.strength[:, None, None]
        return self.out(y.transpose(1, 2).reshape(b, n, c))
