import numpy as np


class CausalSelfAttention:
    NEG = -1e30

    def __init__(self, n_embd, n_head, block_size=128):
        self.n_head = n_head
        self.c_attn = np.random.randn(n_embd, 3 * n_embd) * 0.02
        self.c_proj = np.random.randn(n_embd, n_embd) * 0.02
        self.tri = np.tril(np.ones((block_size, block_size), dtype=bool))

    def __call__(self, x):
        B, T, C = x.shape
        q, k, v = np.split(x @ self.c_attn, 3, axis=-1)
        q, k, v = (t.reshape(B, T, self.n_head, C // self.n_head).swapaxes(1, 2) for t in (q, k, v))
        att = q @ k.swapaxes(2, 3) / (C // self.n_head) ** .5
        att = np.where(self.tri[:T, :T].T, att, self.NEG)
        att = np.exp(att - att.max(axis=3, keepdims=True))
        att /= att.sum(axis=3, keepdims=True)
        return (att @ v).swapaxes(1, 2).reshape(B, T, C) @ self.c_proj
