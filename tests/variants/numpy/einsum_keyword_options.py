import numpy as np


def attention(query, key, value, *, mask=None, scale=None,
              return_weights=False):
    scale = query.shape[-1] ** -0.5 if scale is None else scale
    logits = np.einsum("...qd,...kd->...qk", query, key, optimize=True) * scale
    if mask is not None:
        logits = np.where(mask, logits, np.finfo(logits.dtype).min)
    logits -= logits.max(-1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= np.einsum("...qk->...q", logits)[..., None]
    result = np.einsum("...qk,...kv->...qv", logits, value)
    if return_weights:
        return result, logits
    return result
