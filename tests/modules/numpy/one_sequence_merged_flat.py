import numpy as np


class MultiHeadAttention:
    """x is one sequence: (tokens, dim_word)."""

    def __init__(self, dim_word, n_heads):
        self.n_heads = n_heads
        self.Wq = np.random.randn(dim_word, dim_word)
        self.Wk = np.random.randn(dim_word, dim_word)
        self.Wv = np.random.randn(dim_word, dim_word)
        self.Wo = np.random.randn(dim_word, dim_word)

    def forward(self, x):
        n, c = x.shape
        d = c // self.n_heads
        q = (x @ self.Wq).reshape(n, self.n_heads, d).transpose(1, 0, 2)
        k = (x @ self.Wk).reshape(n, self.n_heads, d).transpose(1, 0, 2)
        v = (x @ self.Wv).reshape(n, self.n_heads, d).transpose(1, 0, 2)
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(d)
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights = scores / scores.sum(axis=2, keepdims=True)
        z = (weights @ v).reshape(n, c)      # concatenates the heads
        return z @ self.Wo, weights
