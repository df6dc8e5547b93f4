import math

import torch
from torch import nn


class PrepareForHeads(nn.Module):
    """
    Linear transformation, then the split into heads:
    `[seq_len, batch_size, d_model]` -> `[seq_len, batch_size, heads, d_k]`
    """

    def __init__(self, d_model, heads, d_k, bias):
        super().__init__()
        self.linear = nn.Linear(d_model, heads * d_k, bias=bias)
        self.heads, self.d_k = heads, d_k

    def forward(self, x):
        return self.linear(x).view(*x.shape[:-1], self.heads, self.d_k)


class MultiHeadAttention(nn.Module):
    def __init__(self, heads, d_model, dropout_prob=0.1, bias=True):
        super().__init__()
        self.heads = heads
        self.d_k = d_model // heads
        self.query = PrepareForHeads(d_model, heads, self.d_k, bias=bias)
        self.key = PrepareForHeads(d_model, heads, self.d_k, bias=bias)
        self.value = PrepareForHeads(d_model, heads, self.d_k, bias=True)
        self.output = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout_prob)

    def forward(self, *, query, key, value, mask=None):
        """`mask` is `[queries, keys, batch]`, true where a query may look."""
        query, key, value = self.query(query), self.key(key), self.value(value)
        scores = torch.einsum('ibhd,jbhd->ijbh', query, key) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(-1) == 0, float('-inf'))
        attn = self.dropout(scores.softmax(dim=1))
        x = torch.einsum('ijbh,jbhd->ibhd', attn, value)
        return self.output(x.reshape(x.shape[0], x.shape[1], -1))
