import numpy as np


def attention(q, k, v):
    scores = -np.einsum("...id,...jd->...ij", q, k) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jd->...id", weights, v), weights
