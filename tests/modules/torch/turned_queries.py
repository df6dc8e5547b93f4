import torch
from torch import nn


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


class RotaryAttention(nn.Module):
    def __init__(self, dim, n_heads, num_kv_groups=2, max_seq_len=2048, rope_theta=10000.0):
        super().__init__()
        assert n_heads % num_kv_groups == 0
        self.n_heads, self.num_kv_groups = n_heads, num_kv_groups
        self.head_dim = dim // n_heads
        self.q_proj = nn.Linear(dim, n_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(dim, num_kv_groups * self.head_dim, bias=False)
        self.v_proj = nn.Linear(dim, num_kv_groups * self.head_dim, bias=False)
        self.o_proj = nn.Linear(n_heads * self.head_dim, dim, bias=False)

    def forward(self, x, cos, sin):
        """cos and sin: (tokens, head_dim)"""
        b, n, _ = x.shape
        q = self.q_proj(x).view(b, n, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(b, n, self.num_kv_groups, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(b, n, self.num_kv_groups, self.head_dim).transpose(1, 2)
        q, k = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
        k = k.repeat_interleave(self.n_heads // self.num_kv_groups, dim=1)
        v = v.repeat_interleave(self.n_heads // self.num_kv_groups, dim=1)
        scores = q @ k.transpose(2, 3) / (self.head_dim ** 1 / 2)
        return self.o_proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, -1))
