import functools

import numpy as np


def _dot_attention(d_k, q, k, v):
    a = np.einsum("...ie,...je->...ij", q, k) / np.sqrt(d_k)
    a = np.exp(a - a.max(axis=-1)[..., None])
    return np.einsum("...ij,...jf->...if", a / a.sum(axis=-1)[..., None], v)


def _named(q, k, v, d_k=1):
    return _dot_attention(d_k, q, k, v)


attention = functools.partial(_named, d_k=32)
