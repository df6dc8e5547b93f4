import numpy as np


def attention(q, k, v):
    """q: (n, d), k: (m, d), v: (m, d_v). One sequence at a time, please."""
    n, d = q.shape
    m, _ = k.shape
    weights = np.empty((n, m))
    for i in range(n):
        s = k @ q[i] / np.sqrt(d)
        s = np.exp(s - s.max())
        weights[i] = s / s.sum()
    return weights.dot(v), weights
