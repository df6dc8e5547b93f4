import jax
import jax.numpy as jnp


@jax.jit
def scaled_dot_product_attention(q, k, v):
    logits = jnp.einsum("...td,...sd->...ts", q, k) / jnp.sqrt(q.shape[-1])
    weights = jax.nn.softmax(logits, axis=-1)
    return jnp.einsum("...ts,...sv->...tv", weights, v), weights


if __name__ == "__main__":
    key = jax.random.PRNGKey(0)
    x = jax.random.normal(key, (2, 4, 8))
    print(scaled_dot_product_attention(x, x, x)[0].shape)
