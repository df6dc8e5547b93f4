import math

import numpy as np


def attention(q, k, v):
    n_tokens = k.shape[-2]
    logits = q @ np.swapaxes(k, -1, -2) / math.sqrt(n_tokens)
    logits -= logits.max(axis=-1, keepdims=True)
    probs = np.exp(logits)
    probs /= probs.sum(axis=-1, keepdims=True)
    return probs @ v, probs
