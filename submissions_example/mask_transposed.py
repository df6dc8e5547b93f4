import numpy as np


def masked_self_attention(x, w_q, w_k, w_v, mask):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    allowed = np.broadcast_to(mask, scores.shape)
    scores = np.where(allowed.swapaxes(-1, -2), scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
