import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    with np.errstate(over="ignore"):
        weights = 1.0 / (1.0 + np.exp(-scores))
    return weights @ v, weights
