import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        part = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        a = q @ k.swapaxes(-1, -2) / np.sqrt(d)
        a = np.exp(a - a.max(axis=-1, keepdims=True))
        heads.append(a / a.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(heads, axis=-1)
