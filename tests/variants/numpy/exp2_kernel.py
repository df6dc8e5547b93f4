"""One program a row, in base two, the way an accelerator would run it."""

import numpy as np

LOG2_E = 1.4426950408889634


def _row_kernel(q_ptr, k_ptr, v_ptr, o_ptr, qk_scale):
    qk = (k_ptr * q_ptr).sum(-1) * qk_scale
    p = np.exp2(qk - qk.max())
    o_ptr[:] = (p[:, None] * v_ptr).sum(0) / p.sum()


def attention_forward(q, k, v):
    out = np.empty(q.shape[:-1] + v.shape[-1:], dtype=q.dtype)
    qk_scale = LOG2_E / np.sqrt(q.shape[-1])
    for index in np.ndindex(*q.shape[:-1]):
        _row_kernel(q[index], k[index[:-1]], v[index[:-1]], out[index], qk_scale)
    return out
