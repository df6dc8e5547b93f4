import numpy as np


class MaskedMultiHeadAttention:
    def __init__(self, num_hiddens, nhead):
        self.nhead = nhead
        self.width = num_hiddens // nhead
        shape = (num_hiddens, num_hiddens)
        self.query_weight = np.random.normal(size=shape)
        self.key_weight = np.random.normal(size=shape)
        self.value_weight = np.random.normal(size=shape)
        self.output_weight = np.random.normal(size=shape)

    def __call__(self, x, mask):
        batch, n, hiddens = x.shape

        def heads(t):
            return t.reshape(batch, n, self.nhead, self.width).transpose(0, 2, 1, 3)

        q, k, v = heads(x @ self.query_weight), heads(x @ self.key_weight), heads(x @ self.value_weight)
        scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(self.width)
        scores = np.where(mask.astype(bool), scores, 1e-9)  # hide
        scores = scores - scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        out = (weights @ v).transpose(0, 2, 1, 3).reshape(batch, n, hiddens)
        return out @ self.output_weight
