import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    e = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(e - e.max(axis=-1, keepdims=True))
    total = e.sum(axis=-1)
    weights = e / np.expand_dims(total, axis=-2)
    return weights @ v, weights
