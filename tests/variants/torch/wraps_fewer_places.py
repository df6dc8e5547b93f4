from functools import wraps

import torch


def same_width(fn):
    @wraps(fn)
    def inner(query, key, value, **kw):
        out = fn(query, key, value, **kw)
        assert out.shape[-1] == value.shape[-1]
        return out
    return inner


@same_width
def sdpa(query, key, value, attn_mask=None):
    att = query.matmul(key.transpose(-2, -1)).mul(key.shape[-1] ** -0.5)
    if attn_mask is not None:
        att = att.masked_fill(attn_mask.logical_not(), -torch.inf)
    return torch.softmax(att, dim=-1).matmul(value)
