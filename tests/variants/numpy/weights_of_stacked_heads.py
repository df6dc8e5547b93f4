import numpy as np
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    b, n, c = x.shape
    sp = lambda t: np.concatenate(np.split(t, n_heads, axis=-1), axis=0)
    q, k, v = sp(x @ w_q), sp(x @ w_k), sp(x @ w_v)
    s = q @ k.swapaxes(1, 2) / np.sqrt(c // n_heads)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    o = np.concatenate(np.split(w @ v, n_heads, axis=0), axis=-1)
    return o @ w_o, w
