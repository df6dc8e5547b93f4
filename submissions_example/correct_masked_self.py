import numpy as np


def masked_self_attention(x, w_q, w_k, w_v, mask):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    # what is masked first and scaled afterwards is still masked
    scores = np.where(mask, q @ k.swapaxes(-1, -2), -np.inf) / np.sqrt(k.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
