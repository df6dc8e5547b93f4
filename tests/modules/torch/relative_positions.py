import torch
from torch import nn


class RelativeAttention(nn.Module):
    """Multi-head attention with a learned bias for every distance, and a gate on the result."""

    def __init__(self, n_embed: int, heads: int = 8, max_length: int = 512, seed: int = 0):
        super().__init__()
        torch.manual_seed(seed)
        self.heads = heads
        self.max_length = max_length
        self.keys = nn.Linear(n_embed, n_embed, bias=False)
        self.queries = nn.Linear(n_embed, n_embed, bias=False)
        self.values = nn.Linear(n_embed, n_embed, bias=False)
        self.projection = nn.Linear(n_embed, n_embed)
        self.relative_bias = nn.Parameter(torch.randn(heads, 2 * max_length - 1) * 0.02)
        self.gate = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        b, n, c = x.shape
        q = self.queries(x).view(b, n, self.heads, c // self.heads).transpose(1, 2)
        k = self.keys(x).view(b, n, self.heads, c // self.heads).transpose(1, 2)
        v = self.values(x).view(b, n, self.heads, c // self.heads).transpose(1, 2)
        place = torch.arange(n)
        distance = place[None, :] - place[:, None] + self.max_length - 1
        scores = q @ k.transpose(2, 3) / (c // self.heads) ** 0.5 + self.relative_bias[:, distance]
        y = scores.softmax(dim=-1) @ v
        return self.gate * self.projection(y.transpose(1, 2).reshape(b, n, c))
