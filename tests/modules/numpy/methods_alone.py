import numpy as np


class SelfAttention:
    def __init__(self, d_model, d_key):
        rng = np.random.RandomState(1)
        self.wq = rng.randn(d_model, d_key)
        self.wk = rng.randn(d_model, d_key)
        self.wv = rng.randn(d_model, d_key)

    def softmax(self, z):
        z = np.exp(z - z.max(axis=-1, keepdims=True))
        return z / z.sum(axis=-1, keepdims=True)

    def attend(self, tokens):
        q, k, v = tokens @ self.wq, tokens @ self.wk, tokens @ self.wv
        weights = self.softmax(q @ np.swapaxes(k, -1, -2))
        return weights @ v
