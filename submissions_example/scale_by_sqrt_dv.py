import numpy as np


def attention(q, k, v):
    head_dim = v.shape[-1]
    scores = q @ k.swapaxes(-1, -2) * head_dim**-0.5
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ v, weights
