import numpy as np


def softmax(scores):
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


class MultiHeadAttention:
    """Keeps the attention maps of the last call for plotting."""

    def __init__(self, d_model, n_heads, seed=0):
        rng = np.random.default_rng(seed)
        self.n_heads = n_heads
        self.W_q = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_k = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_v = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.W_o = rng.normal(size=(d_model, d_model)) / np.sqrt(d_model)
        self.attention_maps = None

    def _heads(self, y):
        batch, n, width = y.shape
        return y.reshape(batch, n, self.n_heads, -1).swapaxes(1, 2)

    def forward(self, x):
        batch, n, width = x.shape
        q, k, v = (self._heads(x @ w) for w in (self.W_q, self.W_k, self.W_v))
        self.attention_maps = softmax(
            np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(width))
        y = self.attention_maps @ v
        return y.swapaxes(1, 2).reshape(batch, n, width) @ self.W_o
