import numpy as np


def softmax(z):
    z = np.exp(z - z.max(axis=-1, keepdims=True))
    return z / z.sum(axis=-1, keepdims=True)


class MultiHeadAttention:
    """W_q, W_k, W_v and W_o are (d_model, d_model), applied from the right."""

    def __init__(self, d_model, num_heads, seed=0):
        assert d_model % num_heads == 0
        rng = np.random.default_rng(seed)
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_q = rng.normal(0, d_model ** -0.5, (d_model, d_model))
        self.W_k = rng.normal(0, d_model ** -0.5, (d_model, d_model))
        self.W_v = rng.normal(0, d_model ** -0.5, (d_model, d_model))
        self.W_o = rng.normal(0, d_model ** -0.5, (d_model, d_model))

    def split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.d_k).swapaxes(-2, -3)

    def __call__(self, x):
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(self.d_k))
        heads = (weights @ v).swapaxes(-2, -3)
        return heads.reshape(x.shape) @ self.W_o, weights
