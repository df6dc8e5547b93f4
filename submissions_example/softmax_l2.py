import numpy as np


def normalise(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def attention(q, k, v):
    weights = normalise(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return weights @ v, weights
