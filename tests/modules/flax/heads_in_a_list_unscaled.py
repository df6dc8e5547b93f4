import flax.linen as nn
import jax
import jax.numpy as jnp


class Head(nn.Module):
    head_size: int

    @nn.compact
    def __call__(self, x):
        key = nn.Dense(self.head_size, use_bias=False, name="key")(x)
        query = nn.Dense(self.head_size, use_bias=False, name="query")(x)
        value = nn.Dense(self.head_size, use_bias=False, name="value")(x)
        return jax.nn.softmax(query @ key.swapaxes(-2, -1)) @ value


class MultiHeadAttention(nn.Module):
    n_embed: int
    num_heads: int

    def setup(self):
        self.heads = [Head(self.n_embed // self.num_heads)
                      for _ in range(self.num_heads)]
        self.proj = nn.Dense(self.n_embed)

    def __call__(self, x):
        return self.proj(jnp.concatenate([h(x) for h in self.heads], axis=-1))
