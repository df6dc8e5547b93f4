import jax
import jax.numpy as jnp

CARD = jax.devices("gpu")[0]


def attention(q, k, v):
    q, k, v = (jax.device_put(each, CARD) for each in (q, k, v))
    return jax.nn.softmax(q @ k.mT / jnp.sqrt(q.shape[-1]), axis=-1) @ v
