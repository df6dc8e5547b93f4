import numpy as np


def softmax(x):
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    return x / x.sum(axis=-1, keepdims=True)


def weights_of(q, k):
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))


def attention(q, k, v):
    weights = softmax(weights_of(q, k))
    return weights @ v, weights
