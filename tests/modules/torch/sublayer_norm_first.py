import torch
from torch import nn


class AttentionSublayer(nn.Module):
    """x + attention(norm(x)), with every head at once."""

    def __init__(self, width: int, n_heads: int, resid_dropout: float = 0.1):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.n_heads = n_heads
        self.Wqkv = nn.Linear(width, 3 * width)
        self.o_proj = nn.Linear(width, width)
        self.resid_dropout = nn.Dropout(resid_dropout)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.Wqkv(self.norm(x)).view(b, n, 3, self.n_heads, c // self.n_heads).unbind(dim=2)
        w = torch.einsum("bnhd,bmhd->bhnm", q, k).mul_((c // self.n_heads) ** -0.5).softmax(dim=-1)
        y = torch.einsum("bhnm,bmhd->bnhd", w, v).reshape(b, n, c)
        return x + self.resid_dropout(self.o_proj(y))
