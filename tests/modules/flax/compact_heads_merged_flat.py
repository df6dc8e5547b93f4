from flax import linen as nn
import jax.numpy as jnp


class MultiHeadSelfAttention(nn.Module):
    hidden_dim: int
    num_heads: int
    dtype: jnp.dtype = jnp.float32

    @nn.compact
    def __call__(self, x, training: bool = False):
        b, n, _ = x.shape
        d = self.hidden_dim // self.num_heads
        q = nn.Dense(self.hidden_dim)(x)
        k = nn.Dense(self.hidden_dim)(x)
        v = nn.Dense(self.hidden_dim)(x)
        q, k, v = [t.reshape(b, n, self.num_heads, d).transpose((0, 2, 1, 3))
                   for t in (q, k, v)]
        a = nn.softmax(q @ k.transpose((0, 1, 3, 2)) / jnp.sqrt(d))
        a = nn.Dropout(0.1)(a, deterministic=not training)
        y = (a @ v).reshape(b, n, self.hidden_dim)
        return nn.Dense(self.hidden_dim)(y)
