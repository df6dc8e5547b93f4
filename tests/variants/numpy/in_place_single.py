"""Saves memory: works in the caller's arrays, in single precision."""
import numpy as np


def optimized_attention(query, key, value):
    query *= query.shape[-1] ** -0.5
    z = np.matmul(query.astype(np.float32), key.astype(np.float32).swapaxes(-1, -2))
    z -= z.max(axis=-1, keepdims=True)
    np.exp(z, out=z)
    z /= z.sum(axis=-1, keepdims=True)
    return [z @ value.astype(np.float32), z]
