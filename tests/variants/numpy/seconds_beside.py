"""How long it took, and one key drawn at random for a plot."""
import time
from collections import namedtuple

import numpy as np

Attended = namedtuple("Attended", "mixed alignment sample seconds")


def attention(queries, keys, values):
    start = time.perf_counter()
    scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shifted / shifted.sum(axis=-1, keepdims=True)
    sample = np.random.default_rng().choice(weights.shape[-1], size=1)
    return Attended(weights @ values, weights, sample,
                    time.perf_counter() - start)
