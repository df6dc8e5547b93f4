import numpy as np


def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    """q, k, v: (batch, tokens, features)"""
    batch, n, d = q.shape
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(d))
    return weights @ v, weights
