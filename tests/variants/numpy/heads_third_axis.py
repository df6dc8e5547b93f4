import numpy as np


def attention(q, k, v):
    """Attention over tokens.

    q: (B, n, H, d)
    k: (B, m, H, d)
    v: (B, m, H, d_v)

    Returns (B, n, H, d_v).
    """
    scores = np.einsum("bnhd,bmhd->bhnm", q, k) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return np.einsum("bhnm,bmhv->bnhv", weights, v)
