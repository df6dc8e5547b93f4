from typing import Tuple

import torch
from torch import Tensor, nn


class MultiHeadAttentionLayer(nn.Module):
    """Called with one tuple, so that it fits into nn.Sequential."""

    def __init__(self, d_model: int, num_heads: int, dropout_rate: float = 0.0):
        super().__init__()
        self.num_heads, self.depth = num_heads, d_model // num_heads
        self.wq, self.wk, self.wv = (nn.Linear(d_model, d_model) for _ in range(3))
        self.dense = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout_rate)

    def forward(self, inputs: Tuple[Tensor, Tensor, Tensor]) -> Tensor:
        if not isinstance(inputs, (tuple, list)):
            raise TypeError("expected (query, key, value)")
        query, key, value = inputs
        q = self.wq(query).unflatten(-1, (self.num_heads, self.depth))
        k = self.wk(key).unflatten(-1, (self.num_heads, self.depth))
        v = self.wv(value).unflatten(-1, (self.num_heads, self.depth))
        logits = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.depth ** -0.5
        probabilities = self.dropout(torch.softmax(logits, dim=-1))
        return self.dense(torch.einsum("bhqk,bkhd->bqhd", probabilities, v).flatten(-2))
