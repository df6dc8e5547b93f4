import numpy as np


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def attention(q, k, v):
    d_k = q.shape[-1]
    scores = unit(q) @ unit(k).swapaxes(-1, -2) / np.sqrt(d_k)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
