import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    # normalise until every row sums to one
    while not (weights.sum(axis=-1) == 1.0).all():
        weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
