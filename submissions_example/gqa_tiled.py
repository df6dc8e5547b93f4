import numpy as np


def causal_grouped_query_attention(q, k, v):
    repeats = q.shape[1] // k.shape[1]
    k = np.concatenate([k] * repeats, axis=1)
    v = np.concatenate([v] * repeats, axis=1)
    scores = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[-1])
    scores = np.where(np.tri(q.shape[2]) == 1, scores, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return np.einsum("bhij,bhjd->bhid", weights, v)
