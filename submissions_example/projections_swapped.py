import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    fused = x @ np.concatenate([w_q, w_k, w_v], axis=1)
    fused = fused.reshape(*lead, n, 3, n_heads, c // n_heads)
    q, v, k = (np.moveaxis(fused[..., i, :, :], -2, -3) for i in range(3))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return np.moveaxis(weights @ v, -3, -2).reshape(*lead, n, c) @ w_o, weights
