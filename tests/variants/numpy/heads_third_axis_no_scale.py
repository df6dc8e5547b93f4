import numpy as np
def attention(q, k, v):
    """q, k, v: (batch, seq, heads, dim)"""
    s = np.einsum("bqhd,bkhd->bhqk", q, k) 
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.einsum("bhqk,bkhd->bqhd", w, v), w
