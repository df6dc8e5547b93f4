import numpy as np


class ScaledDotProductAttention:
    """Callable object; keeps nothing but its options."""

    def __init__(self, temperature=None, dropout=0.0, seed=0):
        self.temperature = temperature
        self.dropout = dropout
        self.rng = np.random.default_rng(seed)

    def __call__(self, q, k, v, mask=None, training=False):
        t = self.temperature or np.sqrt(q.shape[-1])
        attn = self._softmax(self._mask(q @ k.swapaxes(-1, -2) / t, mask))
        if training and self.dropout > 0:
            keep = self.rng.random(attn.shape) >= self.dropout
            attn = attn * keep / (1 - self.dropout)
        return attn @ v, attn

    @staticmethod
    def _mask(scores, mask):
        if mask is None:
            return scores
        return np.where(np.broadcast_to(mask, scores.shape), scores, -1e9)

    @staticmethod
    def _softmax(scores):
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


if __name__ == "__main__":
    layer = ScaledDotProductAttention()
    print(layer(np.eye(3), np.eye(3), np.eye(3))[0])
