import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Takes a single sequence (tokens, dim); loop over the batch outside."""

    def __init__(self, dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(dim, dim, bias=False)
        self.W_k = nn.Linear(dim, dim, bias=False)
        self.W_v = nn.Linear(dim, dim, bias=False)
        self.W_o = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        tokens, dim = x.shape
        d = dim // self.n_heads
        q = self.W_q(x).reshape(tokens, self.n_heads, d).permute(1, 0, 2)
        k = self.W_k(x).reshape(tokens, self.n_heads, d).permute(1, 2, 0)
        v = self.W_v(x).reshape(tokens, self.n_heads, d).permute(1, 0, 2)
        attention = torch.softmax(q @ k / d ** 0.5, dim=2)
        out = (attention @ v).permute(1, 0, 2).reshape(tokens, dim)
        return self.W_o(out), attention
