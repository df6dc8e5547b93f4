import numpy as np


def attention(q, k, v):
    d = q.shape[-1]
    scores = 0.0
    for c in range(d - 1):
        scores = scores + q[..., :, None, c] * k[..., None, :, c]
    scores = scores / np.sqrt(d)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ v, weights
