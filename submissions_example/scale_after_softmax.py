import numpy as np


def attention(q, k, v):
    raw = q @ k.swapaxes(-1, -2)
    raw = raw - raw.max(axis=-1, keepdims=True)
    w = np.exp(raw)
    w = w / w.sum(axis=-1, keepdims=True)
    w = w / np.sqrt(k.shape[-1])
    return w @ v, w
