import numpy as np

NEG_INF = float("-inf")


def build_causal_mask(size):
    return np.triu(np.ones((size, size), dtype=bool), k=2)


def causal_self_attention(Q, K, V):
    """Each position attends to itself and to what comes before it."""
    scores = np.matmul(Q, K.swapaxes(-2, -1)) / np.sqrt(Q.shape[-1])
    scores[..., build_causal_mask(scores.shape[-1])] = NEG_INF
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.matmul(weights, V), weights
