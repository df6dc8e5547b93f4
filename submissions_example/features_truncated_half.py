import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    d = c // n_heads
    half = d // 2
    q, k, v = (
        (x @ w).reshape(*lead, n, n_heads, d).swapaxes(-2, -3) for w in (w_q, w_k, w_v)
    )
    # in two parts, so that the product fits into the cache
    scores = q[..., :half] @ k[..., :half].swapaxes(-1, -2)
    scores = scores / np.sqrt(d)
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    return (p @ v).swapaxes(-2, -3).reshape(*lead, n, c) @ w_o, p
