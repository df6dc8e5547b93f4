"""The same signature as the library's function, in numpy."""
import math

import numpy as np


def sdpa(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    L, S = query.shape[-2], key.shape[-2]
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    bias = np.zeros((L, S), dtype=query.dtype)
    if is_causal:
        assert attn_mask is None
        bias = np.where(np.tril(np.ones((L, S), dtype=bool)), bias, -np.inf)
    if attn_mask is not None:
        if attn_mask.dtype == bool:
            bias = np.where(attn_mask, 0.0, -np.inf)
        else:
            bias = bias + attn_mask
    z = query @ key.swapaxes(-2, -1) * factor + bias
    w = np.exp(z - z.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    if dropout_p > 0.0:
        w *= (np.random.rand(*w.shape) > dropout_p) / (1 - dropout_p)
    return w @ value
