import math

import torch
from torch import nn


class ScaledDotProduct(nn.Module):
    def forward(self, query, key, value, mask=None):
        energy = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-inf"))
        probabilities = energy.softmax(dim=-1)
        return probabilities @ value, probabilities


class MultiHeadAttention(nn.Module):
    def __init__(self, hidden_dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.to_q = nn.Linear(hidden_dim, hidden_dim)
        self.to_k = nn.Linear(hidden_dim, hidden_dim)
        self.to_v = nn.Linear(hidden_dim, hidden_dim)
        self.to_out = nn.Linear(hidden_dim, hidden_dim)
        self.product = ScaledDotProduct()

    def forward(self, x, mask=None):
        def heads(t):
            return t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

        context, _ = self.product(heads(self.to_q(x)), heads(self.to_k(x)),
                                  heads(self.to_v(x)), mask)
        return self.to_out(context.transpose(1, 2).flatten(2))
