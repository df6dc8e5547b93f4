import numpy as np


def masked_softmax(scores, mask):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product(q, k, v, dim, mask=None):
    # divide so that the dot products do not grow with the dimension
    scores = np.einsum("...id,...jd->...ij", q, k) / dim
    weights = masked_softmax(scores, mask)
    return weights @ v, weights
