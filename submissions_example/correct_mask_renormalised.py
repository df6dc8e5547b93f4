import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def masked_attention(q, k, v, mask):
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    weights = weights * mask
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
