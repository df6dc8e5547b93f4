import numpy as np


def attention(q, k, v):
    scale = 1 // np.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(-1, -2) * scale
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
