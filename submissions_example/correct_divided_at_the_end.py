import numpy as np


def causal_self_attention(x, w_q, w_k, w_v):
    """Sums the values first and divides once a query."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    z = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    z = np.where(np.tri(z.shape[-1], dtype=bool), z, -np.inf)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return (e @ v) / e.sum(axis=-1, keepdims=True)
