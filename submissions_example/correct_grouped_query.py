import numpy as np


def grouped_query_attention(q, k, v):
    # Hq query heads share Hk key/value heads, Hq // Hk neighbours each
    group = q.shape[1] // k.shape[1]
    k = np.repeat(k, group, axis=1)
    v = np.repeat(v, group, axis=1)
    att = q @ k.transpose(0, 1, 3, 2) / np.sqrt(k.shape[3])
    att = np.exp(att - att.max(axis=3, keepdims=True))
    att = att / att.sum(axis=3, keepdims=True)
    return att @ v
