import numpy as np


def grouped_query_attention(q, k, v):
    b, heads, n, d = q.shape
    grouped = q.reshape(b, k.shape[1], -1, n, d)
    scores = np.einsum("bkgnd,bkmd->bkgnm", grouped, k) / np.sqrt(d)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    output = np.einsum("bkgnm,bkmv->bkgnv", weights, v)
    return output.reshape(b, heads, n, -1)
