import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(q, k, v):
    pairs = q[..., :, None, :] * k[..., None, :, :]
    scores = pairs.sum(axis=-1, keepdims=True) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    return (weights * v[..., None, :, :]).sum(axis=-2), weights[..., 0]
