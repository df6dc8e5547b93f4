import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = np.matmul(q, q.swapaxes(-1, -2)) / np.sqrt(k.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ v, weights
