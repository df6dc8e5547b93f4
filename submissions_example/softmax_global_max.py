import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
