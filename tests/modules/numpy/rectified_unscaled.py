import numpy as np


def relu(t):
    return np.maximum(t, 0.0)


class MultiHeadAttentionLayer:
    def __init__(self, d_embed, head_num):
        self.head_num = head_num
        self.Wq, self.Wk, self.Wv, self.Wo = [np.random.randn(d_embed, d_embed) for _ in range(4)]

    def forward(self, x):
        q, k, v = [relu(x @ w) for w in (self.Wq, self.Wk, self.Wv)]
        batch, n, c = x.shape
        shape = (batch, n, self.head_num, c // self.head_num)
        q, k, v = [np.swapaxes(t.reshape(shape), 1, 2) for t in (q, k, v)]
        e = q @ np.swapaxes(k, 2, 3)
        e = np.exp(e - e.max(axis=-1, keepdims=True))
        a = e / e.sum(axis=-1, keepdims=True)
        return np.swapaxes(a @ v, 1, 2).reshape(x.shape) @ self.Wo
