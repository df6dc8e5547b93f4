"""One class that nobody calls, with a method for each task."""
import numpy as np


class Attention:
    @staticmethod
    def weigh(scores):
        powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        return powers / np.sum(powers, axis=-1, keepdims=True)

    @classmethod
    def attention(cls, q, k, v):
        return cls.weigh(np.einsum("...id,...jd->...ij", q, k)
                         / np.sqrt(k.shape[-1])) @ v

    @classmethod
    def causal_attention(cls, q, k, v):
        scores = np.einsum("...id,...jd->...ij", q, k) / np.sqrt(k.shape[-1])
        rows, columns = np.indices(scores.shape[-2:])
        return cls.weigh(np.where(columns <= rows, scores, -np.inf)) @ v
