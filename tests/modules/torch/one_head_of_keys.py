import torch
from torch import nn


class MultiQueryAttention(nn.Module):
    """All query heads share one head of keys and values, which keeps the cache small."""

    def __init__(self, hidden_size: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, self.head_dim, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, x):
        b, n, c = x.shape
        q = self.q_proj(x).view(b, n, self.num_heads, self.head_dim)
        k, v = self.k_proj(x), self.v_proj(x)
        w = torch.einsum("bihd,bjd->bhij", q, k) / self.head_dim ** 0.5
        y = torch.einsum("bhij,bjd->bihd", w.softmax(-1), v)
        return self.o_proj(y.reshape(b, n, c))
