import torch
from torch import nn


class SelfAttention(nn.Module):
    """Encoder self-attention.

    key_padding_mask: (batch, tokens), True on padding. Such keys are ignored.
    """

    def __init__(self, emb_size, nhead, attn_dropout=0.0, *, layer_bias=True):
        super().__init__()
        self.nhead = nhead
        self.inv_root = (emb_size // nhead) ** -0.5
        self.q, self.k, self.v = (nn.Linear(emb_size, emb_size, bias=layer_bias) for _ in "qkv")
        self.out = nn.Linear(emb_size, emb_size, bias=layer_bias)
        self.attn_dropout = nn.Dropout(attn_dropout)

    def forward(self, x, key_padding_mask=None, need_weights=False):
        split = lambda t: t.unflatten(2, (self.nhead, -1)).transpose(1, 2)
        scores = split(self.q(x)) @ split(self.k(x)).transpose(2, 3)
        scores = scores * self.inv_root
        if key_padding_mask is not None:
            scores = scores.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        weights = self.attn_dropout(scores.softmax(dim=3))
        y = self.out((weights @ split(self.v(x))).transpose(1, 2).flatten(2))
        if need_weights:
            return y, weights.mean(dim=1)
        return y
