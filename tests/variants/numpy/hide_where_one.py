import numpy as np

HIDDEN = -1e9


def scaled_dot_product_attention(q, k, v, mask):
    """mask: 1 for the positions that are to be hidden, 0 elsewhere"""
    logits = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    logits = logits + mask * HIDDEN
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
