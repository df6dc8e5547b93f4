import torch
import torch.nn as nn


class ScaledDotProductAttention(nn.Module):
    """Without weights of its own: the caller projects."""

    def __init__(self, dropout: float = 0.1):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, q, k, v, mask=None):
        scores = torch.bmm(q, k.transpose(1, 2)) if q.dim() == 3 else q @ k.mT
        scores = scores / (q.size(-1) ** 0.5)
        if mask is not None:
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
        attn = self.dropout(self.softmax(scores))
        return attn @ v, attn


net = ScaledDotProductAttention()
x = torch.randn(1, 3, 4)
y, a = net(x, x, x)
print("out:", y, "\nweights:", a)
