import numpy as np


def self_attention(x, w_q, w_k, w_v):
    w_q = w_q / np.sqrt(w_q.shape[1])  # once, and not for every score
    scores = (x @ w_q) @ np.swapaxes(x @ w_k, -1, -2)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ (x @ w_v), weights
