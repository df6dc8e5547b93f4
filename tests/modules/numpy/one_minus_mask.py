import numpy as np


def stable_softmax(x):
    x = x - np.max(x, axis=-1, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True)


class SelfAttention:
    """Several heads; the mask has ones for tokens that count and zeros for the rest, (batch, 1, n) or (batch, n, n)."""

    def __init__(self, embed_dim, num_head):
        self.num_head, self.size = num_head, embed_dim // num_head
        self.Q, self.K, self.V, self.O = (np.random.randn(embed_dim, embed_dim) * 0.1 for _ in range(4))

    def forward(self, x, mask=None):
        cut = [slice(h * self.size, (h + 1) * self.size) for h in range(self.num_head)]
        q, k, v = x @ self.Q, x @ self.K, x @ self.V
        results = []
        for part in cut:
            logits = q[..., part] @ k[..., part].swapaxes(-1, -2) / np.sqrt(self.size)
            if mask is not None:
                logits = logits + (1 - mask) * -1e9
            results.append(stable_softmax(logits) @ v[..., part])
        return np.concatenate(results, axis=-1) @ self.O
