import numpy as np


def attention(query, key, value):
    scale = query.shape[-1] ** -0.5
    att = (query @ key.swapaxes(-2, -1)) / scale
    att = att - att.max(axis=-1, keepdims=True)
    att = np.exp(att)
    att = att / att.sum(axis=-1, keepdims=True)
    return att @ value
