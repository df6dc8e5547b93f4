"""Only the map is asked for, so the values are taken and not used."""

import numpy as np


def attention(q, k, v):
    z = np.einsum("...nd,...md->...nm", q, k) / np.sqrt(q.shape[-1])
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True)
