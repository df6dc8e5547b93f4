import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[-1] // n_heads
    heads = []
    for _ in range(n_heads):
        q, k, v = x @ w_q[:, :d], x @ w_k[:, :d], x @ w_v[:, :d]
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(d)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads.append(e / e.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(heads, axis=-1) @ w_o
