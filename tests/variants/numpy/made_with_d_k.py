import numpy as np


class ScaledDotProductAttention:
    def __init__(self, d_k):
        self.scale = np.sqrt(d_k)

    def __call__(self, Q, K, V):
        logits = Q @ np.swapaxes(K, -1, -2) / self.scale
        logits = logits - logits.max(axis=-1, keepdims=True)
        weights = np.exp(logits)
        weights = weights / weights.sum(axis=-1, keepdims=True)
        return weights @ V, weights
