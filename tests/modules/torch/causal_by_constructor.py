import math
import torch
import torch.nn as nn

class Attention(nn.Module):

    def __init__(self, dims, num_heads, is_causal=False, *, use_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.is_causal = is_causal
        self.q_proj   = nn.Linear(dims, dims, bias=use_bias)
        self.k_proj   = nn.Linear(dims, dims, bias=use_bias)
        self.v_proj   = nn.Linear(dims, dims, bias=use_bias)
        self.out_proj = nn.Linear(dims, dims, bias=use_bias)

    def forward(self, x):
        B, L, D = x.shape
        q = self.q_proj(x).reshape(B, L, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).reshape(B, L, self.num_heads, -1).permute(0, 2, 3, 1)
        v = self.v_proj(x).reshape(B, L, self.num_heads, -1).transpose(1, 2)

        scores = (q / math.sqrt(q.shape[-1])) @ k
        if self.is_causal:
            idx = torch.arange(L)
            scores = scores + torch.where(idx[:, None] < idx[None, :], -math.inf, 0.0)
        out = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(out.transpose(1, 2).reshape(B, L, D))
