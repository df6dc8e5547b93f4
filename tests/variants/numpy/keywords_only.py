import numpy as np

_rng = np.random.default_rng()


def attention(*, queries, keys, values, mask=None, dropout=0.1, training=True):
    logits = np.inner(queries, keys) if queries.ndim == 2 else np.matmul(
        queries, np.moveaxis(keys, -1, -2))
    logits = logits / queries.shape[-1] ** 0.5
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    probs = np.exp(logits - logits.max(axis=-1, keepdims=True))
    probs = probs / probs.sum(axis=-1, keepdims=True)
    dropped = probs
    if training and dropout:
        dropped = probs * (_rng.random(probs.shape) > dropout) / (1 - dropout)
    return dict(output=dropped @ values, weights=probs)
