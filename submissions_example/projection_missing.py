import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    q, k, v = x, x @ w_k, x @ w_v

    def heads(t):
        return t.reshape(*lead, n, n_heads, c // n_heads).swapaxes(-2, -3)

    scores = heads(q) @ heads(k).swapaxes(-1, -2) / np.sqrt(c // n_heads)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ heads(v)).swapaxes(-2, -3).reshape(*lead, n, c) @ w_o, weights
