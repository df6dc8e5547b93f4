import copy
import math

import torch
from torch import nn


def replicate(layer, times):
    return nn.ModuleList(copy.deepcopy(layer) for _ in range(times))


class MultiHeadedAttention(nn.Module):
    """Projections 0, 1, 2 belong to query, key and value; number 3 is applied at the end."""

    def __init__(self, model_dimension, number_of_heads, dropout_probability=0.1):
        super().__init__()
        assert model_dimension % number_of_heads == 0, f"{number_of_heads} heads do not divide {model_dimension}"
        self.number_of_heads = number_of_heads
        self.head_dimension = model_dimension // number_of_heads
        self.projections = replicate(nn.Linear(model_dimension, model_dimension), 4)
        self.dropout = nn.Dropout(p=dropout_probability)
        self.attention_weights = None

    def forward(self, query, key, value, mask):
        # mask: batch x 1 x 1 x keys or batch x 1 x queries x keys; None in the encoder's unit tests
        size = query.shape[0]
        query, key, value = [
            projection(t).view(size, -1, self.number_of_heads, self.head_dimension).transpose(1, 2)
            for projection, t in zip(self.projections[:3], (query, key, value))
        ]
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.head_dimension)
        if mask is not None:
            scores.masked_fill_(mask == torch.tensor(False), float("-inf"))
        self.attention_weights = scores.softmax(dim=-1)
        mixed = self.dropout(self.attention_weights) @ value
        mixed = mixed.transpose(1, 2).reshape(size, -1, self.number_of_heads * self.head_dimension)
        return self.projections[3](mixed)
