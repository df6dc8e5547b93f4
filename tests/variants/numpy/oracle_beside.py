"""The oracle is right; what is handed in, under an odd name, is not."""
import numpy as np


def naive_attention(q, k, v):
    z = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    z = np.exp(z - z.max(-1, keepdims=True))
    return z / z.sum(-1, keepdims=True) @ v


def att_in_tiles(q, k, v, tile):
    parts = []
    for start in range(0, q.shape[-2], tile):
        z = q[..., start:start + tile, :] @ np.swapaxes(k, -1, -2)
        z = np.exp(z - z.max(-1, keepdims=True))
        parts.append(z / z.sum(-1, keepdims=True) @ v)
    return np.concatenate(parts, axis=-2)
