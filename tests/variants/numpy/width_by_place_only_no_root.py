import numpy as np


def attention(d_k, query, key, value, mask=None, /):
    s = np.einsum("...nd,...md->...nm", query, key) / d_k
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    return (e / np.sum(e, axis=-1, keepdims=True)) @ value
