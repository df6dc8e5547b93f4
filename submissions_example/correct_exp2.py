import numpy as np

LOG2_E = np.log2(np.e)


def attention(q, k, v):
    # exp(x) = 2 ** (x log2(e)), with the factor folded into the scale
    scores = q @ k.swapaxes(-1, -2) * (LOG2_E / np.sqrt(q.shape[-1]))
    p = np.exp2(scores - scores.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    return p @ v, p
