import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    d = c // n_heads
    q = (x @ w_q).reshape(*lead, n_heads, n, d)
    k = (x @ w_k).reshape(*lead, n_heads, n, d)
    v = (x @ w_v).reshape(*lead, n_heads, n, d)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(d)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    context = (weights @ v).swapaxes(-2, -3).reshape(*lead, n, c)
    return context @ w_o, weights
