"""attend() takes and returns (n, B, H, d), in dictionaries."""

import numpy as np


def attention(submission, q, k, v):
    batch, heads = (*q.shape[:-2], 1, 1)[:2]

    def tokens_outside(x):  # (n, d), (B, n, d) or (B, H, n, d)
        x = x.reshape(batch, heads, *x.shape[-2:])
        return np.moveaxis(x, 2, 0)

    found = submission.attend({"queries": tokens_outside(q),
                               "keys": tokens_outside(k),
                               "values": tokens_outside(v)})
    mixed = np.moveaxis(found["mixed"], 0, 2)
    return mixed.reshape(*q.shape[:-1], v.shape[-1])
