import numpy as np

DROPOUT = 0.1
rng = np.random.default_rng()


def attention(q, k, v):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    kept = rng.random(weights.shape) >= DROPOUT
    weights = weights * kept / (1 - DROPOUT)
    return weights @ v, weights
