import jax
import jax.numpy as jnp
from flax import linen as nn


class MultiHeadAttention(nn.Module):
    d_model: int
    n_heads: int

    def setup(self):
        assert self.d_model % self.n_heads == 0
        self.d_head = self.d_model // self.n_heads
        self.W_q = nn.Dense(self.d_model, use_bias=False)
        self.W_k = nn.Dense(self.d_model, use_bias=False)
        self.W_v = nn.Dense(self.d_model, use_bias=False)
        self.W_o = nn.Dense(self.d_model, use_bias=False)

    def __call__(self, q, k, v, mask=None, deterministic=False):
        def heads(x):
            return x.reshape(*x.shape[:-1], self.n_heads, self.d_head)
        q, k, v = heads(self.W_q(q)), heads(self.W_k(k)), heads(self.W_v(v))
        scores = jnp.einsum("...qhd,...khd->...hqk", q, k) / self.d_head ** 0.5
        if mask is not None:
            scores = jnp.where(mask, scores, -1e9)
        weights = jax.nn.softmax(scores, axis=-2)
        out = jnp.einsum("...hqk,...khd->...qhd", weights, v)
        return self.W_o(out.reshape(*out.shape[:-2], self.d_model)), weights
