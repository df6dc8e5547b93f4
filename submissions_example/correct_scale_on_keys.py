import numpy as np


def attention(q, k, v):
    k = k / np.sqrt(k.shape[-1])
    scores = np.einsum("...qd,...kd->...qk", q, k)
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True) @ v
