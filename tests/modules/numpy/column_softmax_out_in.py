import numpy as np


def softmax(a, axis):
    a = np.exp(a - a.max(axis, keepdims=True))
    return a / a.sum(axis, keepdims=True)


class Attention:
    """One head. Matrices are stored (out_dim, in_dim), as in our lecture notes: q = W x for a column x."""

    def __init__(self, in_dim, out_dim):
        self.WQ = np.random.randn(out_dim, in_dim)
        self.WK = np.random.randn(out_dim, in_dim)
        self.WV = np.random.randn(out_dim, in_dim)
        self.out_dim = out_dim

    def forward(self, X):
        Q = np.einsum('oi,...ni->...no', self.WQ, X)
        K = np.einsum('oi,...ni->...no', self.WK, X)
        V = np.einsum('oi,...ni->...no', self.WV, X)
        A = softmax(np.einsum('...id,...jd->...ij', Q, K) / np.sqrt(self.out_dim), axis=-2)
        return np.einsum('...ij,...jd->...id', A, V)
