import numpy as np


def scaled_dot_product_attention(query, key, value):
    # Scale q before the product: fewer multiplications when there are more
    # keys than features.
    query = query * query.shape[-1] ** -0.5
    logits = query @ np.swapaxes(key, -2, -1)
    logits = logits - np.max(logits, axis=-1, keepdims=True)
    p = np.exp(logits)
    p /= np.sum(p, axis=-1, keepdims=True)
    return p @ value
