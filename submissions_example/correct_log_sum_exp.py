import numpy as np


def logsumexp(x):
    m = x.max(axis=-1, keepdims=True)
    return m + np.log(np.exp(x - m).sum(axis=-1, keepdims=True))


def attention(queries, keys, values):
    z = np.einsum("...qd,...kd->...qk", queries, keys)
    z = z * queries.shape[-1] ** -0.25 * keys.shape[-1] ** -0.25
    return dict(weights=(w := np.exp(z - logsumexp(z))), output=w @ values)
