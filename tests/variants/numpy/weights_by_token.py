import numpy as np
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    *lead, n, c = x.shape
    sp = lambda t: t.reshape(*lead, n, n_heads, c // n_heads)
    q, k, v = sp(x @ w_q), sp(x @ w_k), sp(x @ w_v)
    s = np.einsum("...qhd,...khd->...qhk", q, k) / np.sqrt(c // n_heads)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.einsum("...qhk,...khd->...qhd", w, v).reshape(x.shape) @ w_o, w
