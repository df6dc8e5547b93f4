import numpy as np


def attention(q, k, v):
    *_, seq_len, d_k = q.shape
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(seq_len)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
