"""Keys and values in tiles of four, as a flash attention kernel would."""
import numpy as np

TILE = 4


def attention(q, k, v):
    q = q / np.sqrt(q.shape[-1])
    top = np.full(q.shape[:-1] + (1,), -np.inf)
    total = np.zeros(q.shape[:-1] + (1,))
    output = np.zeros(q.shape[:-1] + (v.shape[-1],))
    for start in range(0, k.shape[-2], TILE):
        tile = slice(start, start + TILE)
        s = q @ k[..., tile, :].swapaxes(-1, -2)
        new_top = np.maximum(top, s.max(axis=-1, keepdims=True))
        fade = np.exp(top - new_top)
        p = np.exp(s - new_top)
        total = total * fade + p.sum(axis=-1, keepdims=True)
        output = output * fade + p @ v[..., tile, :]
        top = new_top
    return output / total
