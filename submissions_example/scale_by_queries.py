import numpy as np


def attention(Q, K, V):
    L = Q.shape[-2]
    A = np.einsum("...qd,...kd->...qk", Q, K) / L
    A = np.exp(A - A.max(axis=-1, keepdims=True))
    A = A / A.sum(axis=-1, keepdims=True)
    return A @ V, A
