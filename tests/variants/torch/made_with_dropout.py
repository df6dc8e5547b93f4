import torch
from torch import nn


class DotProductAttention(nn.Module):
    """Scaled dot products; the rate of dropout is the trainer's."""

    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values):
        width = queries.shape[-1]
        scores = queries @ keys.transpose(-1, -2) / width**0.5
        self.attention_weights = scores.softmax(-1)
        return self.dropout(self.attention_weights) @ values
