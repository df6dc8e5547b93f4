import numpy as np


def attention(q, k, v):
    *lead, m, d = k.shape
    scores = q @ k.reshape(*lead, d, m) / np.sqrt(d)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
