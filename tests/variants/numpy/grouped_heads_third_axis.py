import numpy as np
def grouped_query_attention(q, k, v):
    r = q.shape[2] // k.shape[2]
    k = np.repeat(k, r, axis=2); v = np.repeat(v, r, axis=2)
    s = np.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.einsum("bhqk,bkhd->bqhd", w, v)
