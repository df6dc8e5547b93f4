import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    q = (x @ w_q).reshape(*lead, n, n_heads, c // n_heads)
    k = (x @ w_k).reshape(*lead, n, n_heads, c // n_heads)
    v = (x @ w_v).reshape(*lead, n, n_heads, c // n_heads)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return (weights @ v).reshape(*lead, n, c) @ w_o
