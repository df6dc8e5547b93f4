import numpy as np


def attention(q, k, v, mask=None, is_causal=True):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if is_causal:
        assert s.shape[-1] == s.shape[-2], "one key for each query"
        s = np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


def causal_attention(q, k, v, use_causal_mask=False):
    return attention(q, k, v, is_causal=use_causal_mask)
