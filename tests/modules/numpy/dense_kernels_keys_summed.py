import numpy as np


class Dense:
    """y = x kernel + bias"""

    def __init__(self, in_features, out_features, rng):
        self.kernel = rng.normal(scale=in_features ** -0.5, size=(in_features, out_features))
        self.bias = np.zeros(out_features)

    def forward(self, x):
        return np.dot(x, self.kernel) + self.bias


class MultiHeadAttention:
    def __init__(self, in_features, num_heads, seed=42):
        rng = np.random.default_rng(seed)
        self.num_heads = num_heads
        self.query = Dense(in_features, in_features, rng)
        self.key = Dense(in_features, in_features, rng)
        self.value = Dense(in_features, in_features, rng)
        self.out = Dense(in_features, in_features, rng)

    def forward(self, x):
        b, n, c = x.shape
        to_heads = lambda y: y.reshape(b, n, self.num_heads, -1).transpose(0, 2, 1, 3)
        q = to_heads(self.query.forward(x))
        k = to_heads(self.key.forward(x))
        v = to_heads(self.value.forward(x))
        logits = np.matmul(q, k.transpose(0, 1, 3, 2)) * q.shape[-1] ** -0.5
        logits = logits - np.max(logits, axis=-1, keepdims=True)
        attention = np.exp(logits) / np.sum(np.exp(logits), axis=-1, keepdims=True)
        summed = np.matmul(attention, k)
        return self.out.forward(summed.transpose(0, 2, 1, 3).reshape(b, n, c))
