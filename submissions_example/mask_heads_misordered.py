import numpy as np


def masked_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask):
    if x.ndim == 2:
        batch = masked_multi_head_attention(x[None], w_q, w_k, w_v, w_o, n_heads, mask)
        return batch[0]
    b, n, c = x.shape

    def stack(t):  # one long batch: (heads * batch, n, c / heads)
        return np.concatenate(np.split(t, n_heads, axis=-1), axis=0)

    q, k, v = stack(x @ w_q), stack(x @ w_k), stack(x @ w_v)
    allowed = np.broadcast_to(mask, (b, n_heads, n, n)).reshape(-1, n, n)
    z = np.where(allowed, q @ k.swapaxes(1, 2) / np.sqrt(c // n_heads), -1e9)
    z = np.exp(z - z.max(axis=-1, keepdims=True))
    heads = z / z.sum(axis=-1, keepdims=True) @ v
    return np.concatenate(np.split(heads, n_heads, axis=0), axis=-1) @ w_o
