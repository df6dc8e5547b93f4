import numpy as np


class AttentionOps:
    """A namespace, never instantiated."""

    SCALE = True

    @staticmethod
    def softmax(x):
        x = np.exp(x - x.max(axis=-1, keepdims=True))
        return x / x.sum(axis=-1, keepdims=True)

    @staticmethod
    def attention(q, k, v):
        s = q @ np.swapaxes(k, -1, -2)
        if AttentionOps.SCALE:
            s = s / np.sqrt(k.shape[-1])
        return AttentionOps.softmax(s) @ v
