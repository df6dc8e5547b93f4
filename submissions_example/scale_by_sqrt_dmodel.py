import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    d_model = x.shape[-1]
    d_head = d_model // n_heads

    def split(t):
        t = t.reshape(t.shape[:-1] + (n_heads, d_head))
        return np.moveaxis(t, -2, -3)

    Q, K, V = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_model)
    scores = scores - scores.max(-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(-1, keepdims=True)
    context = np.moveaxis(weights @ V, -3, -2).reshape(x.shape)
    return context @ w_o, weights
