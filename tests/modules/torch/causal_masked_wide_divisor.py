from math import sqrt

import torch
from torch import nn


class MaskedCausalAttention(nn.Module):
    def __init__(self, h_dim, max_len, n_heads, drop_p):
        super().__init__()
        self.n_heads = n_heads
        self.h_dim = h_dim
        self.q_net = nn.Linear(h_dim, h_dim)
        self.k_net = nn.Linear(h_dim, h_dim)
        self.v_net = nn.Linear(h_dim, h_dim)
        self.proj_net = nn.Linear(h_dim, h_dim)
        self.att_drop = nn.Dropout(drop_p)
        self.register_buffer('tri', torch.tril(torch.ones((max_len, max_len))).view(1, 1, max_len, max_len))

    def forward(self, x, attn_mask=None):
        B, T, C = x.shape
        N, D = self.n_heads, C // self.n_heads
        q, k, v = (net(x).view(B, T, N, D).transpose(1, 2) for net in (self.q_net, self.k_net, self.v_net))
        weights = q @ k.transpose(2, 3) / self.h_dim
        weights = weights.masked_fill(self.tri[..., :T, :T] == 0, -1e9)
        if attn_mask is not None:
            weights = weights.masked_fill(attn_mask == 0, -1e9)     # (T, T)
        attention = self.att_drop(torch.softmax(weights, dim=-1)) @ v
        return self.proj_net(attention.transpose(1, 2).reshape(B, T, N * D))
