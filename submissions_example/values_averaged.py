import numpy as np


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    # the rows sum to one, so this is an average of the values
    output = np.einsum("...ij,...kd->...id", weights, v) / v.shape[-2]
    return output, weights
