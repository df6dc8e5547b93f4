import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.bazola = d_out
        self.frob = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.rune = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.waldo = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        keys, queries, values = self.rune(x), self.frob(x), self.waldo(x)
        omega = queries @ keys.transpose(-2, -1)
        attn_weights = torch.softmax(omega / self.bazola ** 0.5, dim=-2)
        return attn_weights @ values
