import numpy as np


def masked_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask):
    tokens, width = x.shape[-2:]
    d = width // n_heads
    output = np.zeros_like(x)
    maps = []
    for h in range(n_heads):
        part = slice(h * d, (h + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        # the mask comes with or without a batch and a head axis
        allowed = np.asarray(mask)
        if allowed.ndim > x.ndim:
            allowed = allowed[..., h if allowed.shape[-3] > 1 else 0, :, :]
        elif allowed.ndim == 3 and x.ndim == 2:
            allowed = allowed[h if len(allowed) > 1 else 0]
        bias = np.where(allowed, 0.0, -1e9)
        a = q @ k.swapaxes(-1, -2) / np.sqrt(d) + bias
        a = np.exp(a - a.max(axis=-1, keepdims=True))
        a = a / a.sum(axis=-1, keepdims=True)
        maps.append(a)
        output = output + (a @ v) @ w_o[part]
    return output, np.stack(maps, axis=-3)
