from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MultiheadAttention(nn.Module):
    """The signature of nn.MultiheadAttention with batch_first=True, written anew."""

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True) -> None:
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.in_proj_weight = nn.Parameter(torch.empty(3 * embed_dim, embed_dim))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * embed_dim)) if bias else None
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, need_weights: bool = True,
                attn_mask: Optional[Tensor] = None) -> Tuple[Tensor, Optional[Tensor]]:
        parts = self.in_proj_weight.chunk(3)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        q, k, v = (F.linear(t, w, b).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)
                   for t, w, b in zip((query, key, value), parts, biases))
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if attn_mask is not None:
            # as in torch: True is "not allowed to attend"
            scores = scores.masked_fill(attn_mask, float("-inf"))
        weights = F.dropout(scores.softmax(-1), self.dropout, self.training)
        output = self.out_proj((weights @ v).transpose(-3, -2).flatten(-2))
        return output, weights if need_weights else None
