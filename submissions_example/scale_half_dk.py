import numpy as np


def attention(q, k, v):
    d_k = k.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / (d_k ** 1/2)
    scores = scores - scores.max(axis=-1, keepdims=True)
    p = np.exp(scores)
    p = p / p.sum(axis=-1, keepdims=True)
    return p @ v, p
