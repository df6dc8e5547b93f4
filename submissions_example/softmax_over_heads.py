import numpy as np


def attention(q, k, v):
    """q, k, v: (batch, heads, tokens, features)"""
    b, h, n, d = q.shape
    scores = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return np.einsum("bhij,bhjd->bhid", weights, v), weights
