import numpy as np


def self_attention(x, w_q, w_k, w_v):
    d = x.shape[-1]
    a = (x @ w_q) @ np.swapaxes(x @ w_k, -1, -2) / np.sqrt(d)
    a = np.exp(a - np.max(a, axis=-1, keepdims=True))
    a /= np.sum(a, axis=-1, keepdims=True)
    return a @ (x @ w_v)
