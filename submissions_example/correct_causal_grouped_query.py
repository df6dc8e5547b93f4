import numpy as np


def causal_grouped_query_attention(q, k, v):
    output = np.empty(q.shape[:-1] + v.shape[-1:])
    group = q.shape[1] // k.shape[1]
    for h in range(q.shape[1]):
        for i in range(q.shape[2]):
            past = slice(0, i + 1)
            keys, values = k[:, h // group, past], v[:, h // group, past]
            s = np.einsum("bd,bjd->bj", q[:, h, i], keys) / np.sqrt(q.shape[-1])
            s = np.exp(s - s.max(axis=1, keepdims=True))
            s = s / s.sum(axis=1, keepdims=True)
            output[:, h, i] = np.einsum("bj,bjd->bd", s, values)
    return output
