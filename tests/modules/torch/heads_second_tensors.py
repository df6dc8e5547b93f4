import math
import torch
from torch import nn


class DenseGeneral(nn.Module):
    """(..., C) -> (..., heads, width)"""

    def __init__(self, channels, heads, width):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(channels, heads, width) * channels ** -0.5)

    def forward(self, x):
        return torch.einsum("...c,chd->...hd", x, self.kernel)


class MultiHeadDotProductAttention(nn.Module):
    def __init__(self, in_features, num_heads):
        super().__init__()
        width = in_features // num_heads
        self.query = DenseGeneral(in_features, num_heads, width)
        self.key = DenseGeneral(in_features, num_heads, width)
        self.value = DenseGeneral(in_features, num_heads, width)
        self.out = nn.Parameter(torch.randn(num_heads, width, in_features) * in_features ** -0.5)
        self.norm = 1 / math.sqrt(width)

    def forward(self, inputs_q, inputs_kv=None, mask=None):
        """mask, broadcast to (batch, heads, queries, keys), is added to the scores: 0 to see, -1e10 to hide."""
        inputs_kv = inputs_q if inputs_kv is None else inputs_kv
        q, k, v = self.query(inputs_q) * self.norm, self.key(inputs_kv), self.value(inputs_kv)
        logits = torch.einsum("...qhd,...khd->...hqk", q, k)
        if mask is not None:
            logits = logits + mask
        probs = torch.exp(torch.log_softmax(logits, dim=-1))
        return torch.einsum("...qhd,hdc->...qc", torch.einsum("...hqk,...khd->...qhd", probs, v), self.out)
