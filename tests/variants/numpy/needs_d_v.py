"""Allocates its output, and is told how wide it is."""
import numpy as np


def attention(query, key, value, d_q, d_v):
    logits = query @ key.swapaxes(-1, -2) * d_q ** -0.5
    logits -= logits.max(axis=-1, keepdims=True)
    probabilities = np.exp(logits)
    probabilities /= probabilities.sum(axis=-1, keepdims=True)
    result = np.empty(query.shape[:-1] + (d_v,))
    np.matmul(probabilities, value, out=result)
    return result
