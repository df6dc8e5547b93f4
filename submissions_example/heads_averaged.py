import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        own = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        scores = q @ k.swapaxes(-1, -2) / np.sqrt(d)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads.append(e / e.sum(axis=-1, keepdims=True) @ v)
    # combine the heads, and back to the width that w_o expects
    combined = np.mean(heads, axis=0)
    return np.concatenate([combined] * n_heads, axis=-1) @ w_o
