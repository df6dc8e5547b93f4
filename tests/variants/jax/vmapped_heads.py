"""Written for one query, lifted to everything else by vmap."""

import jax
import jax.numpy as jnp
from jax import vmap


def _attend_one(query, keys, values):
    weights = jax.nn.softmax(keys @ query * query.size ** -0.5)
    return weights @ values


_attend = vmap(_attend_one, in_axes=(0, None, None))  # over queries


def attention(q, k, v):
    attend = _attend
    for _ in range(q.ndim - 2):
        attend = vmap(attend)
    return attend(q, k, v)
