import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, query, key, value, d_k, mask=None, dropout=nn.Dropout(0.2)):
        w = (query @ key.transpose(-2, -1)).div(d_k ** 0.5)
        if mask is not None:
            w = w.masked_fill(~mask, -1e4 if w.dtype == torch.half else -1e9)
        p_attn = w.softmax(-1)
        if self.training:
            p_attn = dropout(p_attn)
        return p_attn @ value, p_attn
