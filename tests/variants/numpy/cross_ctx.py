import numpy as np


def cross_attention(x, ctx, ctx_values):
    """x looks at ctx and takes from ctx_values; nothing is projected."""
    sim = x @ np.swapaxes(ctx, -1, -2)
    sim = sim - sim.max(axis=-1, keepdims=True)
    w = np.exp(sim)
    w = w / w.sum(axis=-1, keepdims=True)
    return w @ ctx_values
