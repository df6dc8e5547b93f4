import numpy as np


def attention(query, key, value):
    scores = key @ query.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    probs = np.exp(scores)
    probs = probs / probs.sum(axis=-1, keepdims=True)
    return probs @ value, probs
