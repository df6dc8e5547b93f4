import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v / np.sqrt(q.shape[-1]), weights
