import torch
from torch import nn


class Scores(nn.Module):
    def forward(self, q, k):
        return q @ k.transpose(-2, -1)


class Scale(nn.Module):
    def forward(self, scores, width):
        return scores / width ** .5


class MyAttention(nn.Module):
    """Put together of small modules, none of which learns anything."""

    def __init__(self, p=0.1):
        super().__init__()
        self.scores, self.scale = Scores(), Scale()
        self.softmax, self.drop = nn.Softmax(dim=-1), nn.Dropout(p)

    def forward(self, *, query, key, value, attention_mask=None):
        z = self.scale(self.scores(query, key), query.size(-1))
        if attention_mask is not None:
            z = z + torch.zeros_like(z).masked_fill(~attention_mask, -torch.inf)
        weights = self.softmax(z)
        return {"out": self.drop(weights) @ value, "attn": weights}
