import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape

    def split(t):
        return t.reshape(*lead, n, n_heads, c // n_heads).swapaxes(-2, -3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return (weights @ v).reshape(*lead, n, c) @ w_o, weights
