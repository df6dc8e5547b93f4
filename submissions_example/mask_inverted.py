import numpy as np


def masked_attention(query, key, value, mask):
    logits = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    logits = np.where(mask, -1e9, logits)
    logits = logits - logits.max(axis=-1, keepdims=True)
    p = np.exp(logits)
    p = p / p.sum(axis=-1, keepdims=True)
    return p @ value
