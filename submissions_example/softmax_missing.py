import numpy as np


def attention(q, k, v):
    weights = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    return weights @ v, weights
