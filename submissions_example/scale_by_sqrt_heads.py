import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads):
    *lead, n, c = x.shape

    def split(t):
        return t.reshape(*lead, n, num_heads, -1).swapaxes(-2, -3)

    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    att = q @ k.swapaxes(-1, -2) / np.sqrt(num_heads)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    return (att @ v).swapaxes(-2, -3).reshape(*lead, n, c) @ w_o, att
