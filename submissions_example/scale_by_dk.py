import numpy as np


def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)


def attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]
    weights = softmax(scores)
    return weights @ V, weights
