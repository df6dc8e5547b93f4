import torch as t
import torch.nn as nn
from torch import einsum


class Attention(nn.Module):
    def __init__(self, d_model, n_heads, d_head):
        super().__init__()
        self.d_head = d_head
        self.W_Q = nn.Parameter(0.02 * t.randn(n_heads, d_model, d_head))
        self.W_K = nn.Parameter(0.02 * t.randn(n_heads, d_model, d_head))
        self.W_V = nn.Parameter(0.02 * t.randn(n_heads, d_model, d_head))
        self.W_O = nn.Parameter(0.02 * t.randn(n_heads, d_head, d_model))
        self.b_Q = nn.Parameter(t.zeros(n_heads, 1, d_head))
        self.b_O = nn.Parameter(t.zeros(d_model))

    def forward(self, resid):
        q = einsum("b p m, i m h -> b i p h", resid, self.W_Q) + self.b_Q
        k = einsum("b p m, i m h -> b i p h", resid, self.W_K)
        v = einsum("b p m, i m h -> b i p h", resid, self.W_V)

        scores = einsum("b i q h, b i k h -> b i q k", q, k) / self.d_head ** 0.5
        pattern = scores.softmax(dim=1)     # b i q k
        z = einsum("b i q k, b i k h -> b i q h", pattern, v)
        return einsum("b i q h, i h m -> b q m", z, self.W_O) + self.b_O
