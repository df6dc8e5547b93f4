import jax
import numpy as np


def attention(query, key, value):
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    scores = scores.at[...].add(-scores.max(-1, keepdims=True))
    weights = np.e ** scores
    return weights / weights.sum(-1, keepdims=True) @ value
