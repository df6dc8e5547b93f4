import numpy as np

SCALE = 8.0  # sqrt(64), the head size used everywhere in our model


def attention(q, k, v):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / SCALE
    scores -= np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= np.sum(weights, axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
