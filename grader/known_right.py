# The textbook answers, run once in the interpreter before anyone is accused: an
# interpreter that gets these wrong (a broken BLAS, say) cannot judge. The line
# before says what xp is: numpy, torch or jax.numpy.


def _attend(q, k, v, keep=None):
    z = q @ xp.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
    if keep is not None:
        z = xp.where(keep, z, -float("inf"))
    top = xp.amax(z, axis=-1, keepdims=True)
    e = xp.exp(z - xp.where(xp.isfinite(top), top, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / xp.where(total > 0.0, total, 1.0)
    return weights @ v, weights


def _causal(n):
    row = xp.arange(n)
    return row[:, None] >= row[None, :]


def attention(q, k, v):
    return _attend(q, k, v)


def masked_attention(q, k, v, mask):
    return _attend(q, k, v, mask)


def causal_attention(q, k, v):
    return _attend(q, k, v, _causal(q.shape[-2]))


def self_attention(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v)


def masked_self_attention(x, w_q, w_k, w_v, mask):
    return _attend(x @ w_q, x @ w_k, x @ w_v, mask)


def causal_self_attention(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, _causal(x.shape[-2]))


def _multi_head(x, w_q, w_k, w_v, w_o, n_heads, keep=None):
    def split(t):
        return xp.swapaxes(t.reshape(t.shape[:-1] + (n_heads, -1)), -2, -3)

    context, weights = _attend(split(x @ w_q), split(x @ w_k), split(x @ w_v), keep)
    return xp.swapaxes(context, -2, -3).reshape(x.shape) @ w_o, weights


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return _multi_head(x, w_q, w_k, w_v, w_o, n_heads)


def masked_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask):
    return _multi_head(x, w_q, w_k, w_v, w_o, n_heads, mask)


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    return _multi_head(x, w_q, w_k, w_v, w_o, n_heads, _causal(x.shape[-2]))


def _grouped(q, k, v, keep=None):
    owner = xp.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    return _attend(q, k[:, owner], v[:, owner], keep)


def grouped_query_attention(q, k, v):
    return _grouped(q, k, v)


def masked_grouped_query_attention(q, k, v, mask):
    return _grouped(q, k, v, mask)


def causal_grouped_query_attention(q, k, v):
    return _grouped(q, k, v, _causal(q.shape[-2]))
