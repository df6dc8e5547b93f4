import numpy as np


def linear(x, weight):
    return x @ weight.T


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape

    def heads(t):
        return t.reshape(*lead, n, n_heads, c // n_heads).swapaxes(-2, -3)

    q, k, v = heads(linear(x, w_q)), heads(linear(x, w_k)), heads(linear(x, w_v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return (weights @ v).swapaxes(-2, -3).reshape(*lead, n, c) @ w_o, weights
