import numpy as np


def same_widths(attend):
    def guarded(queries, keys, values, **options):
        if queries.shape[-1] != keys.shape[-1]:
            raise ValueError("queries and keys differ in width")
        return attend(queries, keys, values, **options)
    return guarded


@same_widths
def scaled_dot_product_attention(queries, keys, values, mask=None, *,
                                 hidden=-1e30):
    logits = np.matmul(queries, np.swapaxes(keys, -2, -1))
    logits = logits / keys.shape[-1] ** 0.5
    if mask is not None:
        logits = np.where(mask, logits, hidden)
    weights = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.matmul(weights, values)
