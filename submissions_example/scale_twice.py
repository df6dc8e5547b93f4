import numpy as np


def attention(query, key, value):
    scale = 1.0 / np.sqrt(query.shape[-1])
    scores = (query * scale) @ (key * scale).swapaxes(-1, -2)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ value
