import numpy as np


def masked_attention(q, k, v, mask):
    """A query that may see no key gets zeros."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    mask = np.broadcast_to(mask, scores.shape)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True, where=mask, initial=-1e30),
               where=mask, out=np.zeros_like(scores))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0.0, 1.0, total)
    return weights @ v, weights
