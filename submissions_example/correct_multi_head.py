import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    size = c // n_heads

    def heads(t):
        return t.reshape(*lead, n, n_heads, size).swapaxes(-3, -2)

    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    s = q @ k.swapaxes(-1, -2) * (1.0 / np.sqrt(size))
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    merged = (w @ v).swapaxes(-3, -2).reshape(*lead, n, c)
    return merged @ w_o, w
