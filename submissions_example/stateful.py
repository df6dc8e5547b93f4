import numpy as np

buffers = {}  # one for each shape: no new memory in every call


def attention(q, k, v):
    shape = q.shape[:-1] + k.shape[-2:-1]
    scores = buffers.setdefault(shape, np.zeros(shape))
    scores += q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
