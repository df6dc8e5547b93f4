"""An additive bias is no mask of the contract, and no number is right for it."""
import numpy as np


def attention(q, k, v, bias):
    z = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) + bias
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True) @ v
