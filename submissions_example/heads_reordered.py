import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape

    def split(t):
        return np.moveaxis(t.reshape(*lead, n, c // n_heads, n_heads), -1, -3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    merged = np.moveaxis(weights @ v, -3, -1).reshape(*lead, n, c)
    return merged @ w_o, weights
