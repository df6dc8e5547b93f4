import numpy as np


def dense(x, w):
    return np.maximum(x @ w, 0.0)


def self_attention(x, w_q, w_k, w_v):
    q, k, v = dense(x, w_q), dense(x, w_k), dense(x, w_v)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
