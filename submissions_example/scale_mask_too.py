import numpy as np


def masked_attention(q, k, v, mask):
    """mask is True where a query may attend; hidden keys get a penalty."""
    penalty = np.where(mask, 0.0, -100.0)
    scores = (q @ k.swapaxes(-1, -2) + penalty) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
