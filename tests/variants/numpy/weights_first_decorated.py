import functools
import time

import numpy as np


def timed(function):
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = function(*args, **kwargs)
        wrapper.seconds += time.perf_counter() - start
        return result
    wrapper.seconds = 0.0
    return wrapper


def checked(function):
    @functools.wraps(function)
    def wrapper(q, k, v, **options):
        if q.shape[-1] != k.shape[-1]:
            raise ValueError(f"widths differ: {q.shape} and {k.shape}")
        return function(q, k, v, **options)
    return wrapper


@timed
@checked
def scaled_dot_product_attention(q, k, v, mask=None):
    """Returns the weights first, then the result."""
    z = q @ k.swapaxes(-1, -2)
    z /= np.sqrt(k.shape[-1])
    if mask is not None:
        z[~np.broadcast_to(mask, z.shape)] = -np.inf
    p = np.exp(z - z.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return p, p @ v
