# Tiled attention with a running softmax: the n x m matrix is never there whole.
import numpy as np

BLOCK_M = 16
BLOCK_N = 8


def flash_attention(q, k, v, block_m=BLOCK_M, block_n=BLOCK_N):
    n, m = q.shape[-2], k.shape[-2]
    sm_scale = 1.0 / np.sqrt(q.shape[-1])
    o = np.zeros(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype)
    for start_m in range(0, n, block_m):
        q_tile = q[..., start_m:start_m + block_m, :] * sm_scale
        rows = q_tile.shape[:-1]
        m_i = np.full(rows, -np.inf)
        l_i = np.zeros(rows)
        acc = np.zeros(rows + (v.shape[-1],))
        for start_n in range(0, m, block_n):
            k_tile = k[..., start_n:start_n + block_n, :]
            v_tile = v[..., start_n:start_n + block_n, :]
            qk = q_tile @ np.moveaxis(k_tile, -1, -2)
            m_new = np.maximum(m_i, qk.max(-1))
            alpha = np.exp(m_i - m_new)
            p = np.exp(qk - m_new[..., None])
            l_i = l_i * alpha + p.sum(-1)
            acc = acc * alpha[..., None] + p @ v_tile
            m_i = m_new
        o[..., start_m:start_m + block_m, :] = acc / l_i[..., None]
    return o
