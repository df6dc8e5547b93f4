import jax
import jax.numpy as jnp


@jax.custom_vjp
def attention(q, k, v):
    return _forward(q, k, v)[0]


def _forward(q, k, v):
    z = jnp.einsum("...nd,...md->...nm", q, k) / q.shape[-1] ** 0.5
    p = jax.nn.softmax(z)
    return p @ v, (q, k, v, p)


def _backward(saved, g):
    q, k, v, p = saved
    dp = g @ v.mT
    dz = p * (dp - (dp * p).sum(-1, keepdims=True)) / q.shape[-1] ** 0.5
    return dz @ k, dz.mT @ q, p.mT @ g


attention.defvjp(_forward, _backward)
