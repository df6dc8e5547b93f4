import torch
from torch import nn


class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.0, **kwargs):
        super(DotProductAttention, self).__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)
        self.normalise = nn.Softmax(dim=-2)

    def forward(self, queries, keys, values):
        d = queries.shape[-1]
        scores = torch.einsum("...id,...jd->...ij", queries, keys) / d ** 0.5
        self.attention_weights = self.normalise(scores)
        return self.dropout(self.attention_weights) @ values
