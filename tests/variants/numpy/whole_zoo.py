"""Exercise sheet 7: every kind of attention, one built on the other."""

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ v, w


def causal_attention(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    return scaled_dot_product_attention(q, k, v, np.tri(n, m, dtype=bool))


def self_attention(x, w_q, w_k, w_v):
    return scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v)


def split_heads(x, n_heads):
    *lead, n, c = x.shape
    return np.swapaxes(x.reshape(*lead, n, n_heads, c // n_heads), -2, -3)


def merge_heads(x):
    x = np.swapaxes(x, -2, -3)
    return x.reshape(*x.shape[:-2], -1)


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    """The weights are returned averaged over the heads."""
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    out, weights = scaled_dot_product_attention(q, k, v)
    return merge_heads(out) @ w_o, weights.mean(axis=-3)
