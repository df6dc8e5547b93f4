import numpy as np


def attention(q, k, v):
    d = q.shape[-1]
    z = np.matmul(q, k) / np.sqrt(d)
    z = z - np.max(z, axis=-1, keepdims=True)
    w = np.exp(z)
    w = w / np.sum(w, axis=-1, keepdims=True)
    return np.matmul(w, v), w
