import numpy as np


def masked_grouped_query_attention(q, k, v, mask):
    heads = q.shape[1]
    owner = np.arange(heads) // (heads // k.shape[1])
    scores = q @ k[:, owner].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    scores -= np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= np.sum(weights, axis=-1, keepdims=True)
    return weights @ v[:, owner]
