import numpy as np


def self_attention(x, w_q, w_k, w_v):
    """x: (..., tokens, d_model)"""
    d_model = x.shape[-1]
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = np.einsum("...id,...jd->...ij", q, k) / d_model
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ v, weights
