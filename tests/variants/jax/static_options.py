from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("is_causal", "return_weights"))
def dot_product_attention(query, key, value, mask=None, *, is_causal=False,
                          return_weights=False):
    t, s = query.shape[-2], key.shape[-2]
    logits = query @ jnp.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    if is_causal:
        logits = jnp.where(jnp.tri(t, s, dtype=bool), logits, -jnp.inf)
    if mask is not None:
        logits = jnp.where(mask, logits, jnp.finfo(logits.dtype).min)
    weights = jax.nn.softmax(logits)
    out = weights @ value
    return (out, weights) if return_weights else out
