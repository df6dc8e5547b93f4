import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """`fill_weights` is called with each weight matrix and writes the start values into it."""

    def __init__(self, d_model, num_heads, fill_weights):
        super().__init__()
        self.num_heads = num_heads
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.k = nn.Linear(d_model, d_model, bias=False)
        self.v = nn.Linear(d_model, d_model, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)
        for layer in (self.q, self.k, self.v, self.o):
            fill_weights(layer.weight)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (f(x).view(b, n, self.num_heads, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        w = torch.softmax(q @ k.transpose(2, 3) / (c // self.num_heads) ** 0.5, dim=-1)
        return self.o((w @ v).transpose(1, 2).reshape(b, n, c))
