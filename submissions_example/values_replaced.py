import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape

    def heads(t):
        return np.moveaxis(t.reshape(*lead, n, n_heads, c // n_heads), -2, -3)

    q, k, v = heads(x @ w_q), heads(x @ w_k), heads(x @ w_v)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(v.shape[-1])
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    s = s / s.sum(axis=-1, keepdims=True)
    context = np.moveaxis(s @ k, -3, -2).reshape(*lead, n, c)
    return context @ w_o, s
