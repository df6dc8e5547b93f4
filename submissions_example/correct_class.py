import numpy as np
from dataclasses import dataclass


@dataclass
class Result:
    output: np.ndarray
    weights: np.ndarray


class Attention:
    """softmax(Q K^T / sqrt(d_k)) V"""

    def __call__(self, Q, K, V) -> Result:
        d_k = Q.shape[-1]
        z = Q @ K.swapaxes(-1, -2) / d_k**0.5
        e = np.exp(z - z.max(-1, keepdims=True))
        w = e / e.sum(-1, keepdims=True)
        return Result(output=w @ V, weights=w)
