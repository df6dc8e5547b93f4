import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    d = c // n_heads
    # split first, then project within a head
    heads = x.reshape(*lead, n, n_heads, d).swapaxes(-2, -3)
    q, k, v = heads @ w_q[:d, :d], heads @ w_k[:d, :d], heads @ w_v[:d, :d]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(d)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ v).swapaxes(-2, -3).reshape(*lead, n, c) @ w_o
