import numpy as np


def checked(method):
    def check(self, *args):
        assert all(isinstance(each, np.ndarray) for each in args[:3])
        assert args[0].shape[-1] == args[1].shape[-1]
        return method(self, *args)
    return check


class SimpleAttention:
    """No root: d_k itself."""

    @checked
    def __call__(self, q, k, v, d_k):
        s = q @ np.swapaxes(k, -1, -2) / d_k
        p = np.exp(s - s.max(-1, keepdims=True))
        return p / p.sum(-1, keepdims=True) @ v
