import math
from typing import Optional

import torch
from torch import nn, Tensor


class ScaledDotProductAttention(nn.Module):
    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Optional[Tensor] = None):
        logits = query @ key.transpose(-2, -1)
        logits = logits / math.sqrt(query.shape[-1])
        if mask is not None:
            logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
        weights = logits.softmax(-1)
        return weights @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_attention_heads: int):
        super().__init__()
        self.num_attention_heads = num_attention_heads
        self.attend = ScaledDotProductAttention()
        self.query_proj = nn.Linear(d_model, d_model)
        self.key_proj = nn.Linear(d_model, d_model)
        self.value_proj = nn.Linear(d_model, d_model)
        self.output_proj = nn.Linear(d_model, d_model)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Optional[Tensor] = None):
        q, k, v = (
            f(t).unflatten(-1, (self.num_attention_heads, -1)).transpose(1, 2)
            for f, t in ((self.query_proj, query), (self.key_proj, key), (self.value_proj, value))
        )
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]
        context, weights = self.attend(q, k, v, mask)
        return self.output_proj(context.transpose(1, 2).flatten(2)), weights


class FeedForward(nn.Sequential):
    def __init__(self, d_model: int, d_ff: int):
        super().__init__(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class TransformerBlock(nn.Module):
    def __init__(self, d_model: int, num_attention_heads: int, d_ff: int = 2048, dropout: float = 0.1):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_attention_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = self.norm1(x + self.dropout(self.attention(x, x, x, mask)[0]))
        return self.norm2(x + self.dropout(self.feed_forward(x)))
