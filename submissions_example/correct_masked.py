import numpy as np


def masked_attention(q, k, v, mask):
    """mask is boolean, True where a query may look at a key."""
    d_k = q.shape[-1]
    scores = np.matmul(q, np.moveaxis(k, -1, -2)) / np.sqrt(d_k)
    scores = np.where(mask, scores, -np.inf)
    # a query that may look at nothing would give inf - inf below
    highest = np.max(scores, axis=-1, keepdims=True)
    highest = np.where(np.isfinite(highest), highest, 0.0)
    weights = np.exp(scores - highest)
    total = weights.sum(axis=-1, keepdims=True)
    weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return np.matmul(weights, v), weights
