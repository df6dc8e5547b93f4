import numpy as np


class DotProductAttention:
    def __init__(self, embed_dim, nhead, dropout=0.0):
        assert embed_dim % nhead == 0, "embed_dim must be divisible by nhead"
        self.head_dim = embed_dim // nhead
        self.dropout = dropout

    def forward(self, q, k, v):
        z = q @ np.moveaxis(k, -1, -2) * self.head_dim ** -0.5
        z = np.exp(z - np.max(z, axis=-1, keepdims=True))
        return (z / np.sum(z, axis=-1, keepdims=True)) @ v
