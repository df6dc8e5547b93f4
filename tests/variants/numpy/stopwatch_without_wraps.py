import time

import numpy as np

seconds = []


def stopwatch(function):
    def run(*args, **kwargs):
        start = time.perf_counter()
        result = function(*args, **kwargs)
        seconds.append(time.perf_counter() - start)
        return result
    return run


@stopwatch
def my_attention(values, keys, queries, mask=None):
    s = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e30)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ values
