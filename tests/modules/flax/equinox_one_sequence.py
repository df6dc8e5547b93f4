import equinox as eqx
import jax
import jax.numpy as jnp


class SelfAttention(eqx.Module):
    query: eqx.nn.Linear
    key: eqx.nn.Linear
    value: eqx.nn.Linear
    output: eqx.nn.Linear
    num_heads: int = eqx.field(static=True)

    def __init__(self, embed_dim, num_heads, *, key):
        keys = jax.random.split(key, 4)
        self.query, self.key, self.value, self.output = [
            eqx.nn.Linear(embed_dim, embed_dim, key=one) for one in keys]
        self.num_heads = num_heads

    def __call__(self, x):
        n, width = x.shape
        q, k, v = [jax.vmap(layer)(x).reshape(n, self.num_heads, -1)
                   for layer in (self.query, self.key, self.value)]
        scores = jnp.einsum("qhd,khd->hqk", q, k) / jnp.sqrt(q.shape[-1])
        mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v)
        return jax.vmap(self.output)(mixed.reshape(n, width))
