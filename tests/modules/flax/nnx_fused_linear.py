from flax import nnx
import jax
import jax.numpy as jnp


class MultiHeadAttention(nnx.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1, *,
                 rngs: nnx.Rngs):
        self.num_heads = num_heads
        self.qkv = nnx.Linear(d_model, 3 * d_model, use_bias=False, rngs=rngs)
        self.out = nnx.Linear(d_model, d_model, rngs=rngs)
        self.drop = nnx.Dropout(dropout, rngs=rngs)

    def __call__(self, x):
        b, n, c = x.shape
        q, k, v = jnp.split(self.qkv(x), 3, axis=-1)
        q, k, v = (t.reshape(b, n, self.num_heads, -1) for t in (q, k, v))
        y = jax.nn.dot_product_attention(q, k, v)
        return self.drop(self.out(y.reshape(b, n, c)))
