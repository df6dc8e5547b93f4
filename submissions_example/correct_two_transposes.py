import numpy as np


def attention(q, k, v):
    """Works with one column a query, and turns the result around at the end."""
    columns = k @ q.swapaxes(-1, -2) / np.sqrt(k.shape[-1])
    columns = np.exp(columns - columns.max(axis=-2, keepdims=True))
    columns = columns / columns.sum(axis=-2, keepdims=True)
    weights = columns.swapaxes(-1, -2)
    return weights @ v, weights
