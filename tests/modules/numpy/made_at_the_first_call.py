import numpy as np


class SelfAttention:
    """Sized by the first input, as layers of Keras are."""

    def __init__(self, num_heads=4, seed=0):
        self.num_heads = num_heads
        self.rng = np.random.default_rng(seed)
        self.w_query = None

    def build(self, width):
        def matrix():
            return self.rng.normal(0.0, width ** -0.5, (width, width))
        self.w_query, self.w_key, self.w_value = matrix(), matrix(), matrix()
        self.w_out = matrix()

    def __call__(self, inputs):
        batch, length, width = inputs.shape
        if self.w_query is None:
            self.build(width)
        shape = (batch, length, self.num_heads, width // self.num_heads)
        query = (inputs @ self.w_query).reshape(shape).transpose(0, 2, 1, 3)
        key = (inputs @ self.w_key).reshape(shape).transpose(0, 2, 3, 1)
        value = (inputs @ self.w_value).reshape(shape).transpose(0, 2, 1, 3)
        scores = query @ key / (width // self.num_heads)
        scores -= scores.max(axis=-1, keepdims=True)
        weights = np.exp(scores)
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ value).transpose(0, 2, 1, 3)
        return mixed.reshape(batch, length, width) @ self.w_out
