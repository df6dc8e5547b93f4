import numpy as np


def causal_attention(q, k, v):
    length = q.shape[-2]
    mask = np.triu(np.ones((length, length), dtype=bool))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(mask, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True) @ v
