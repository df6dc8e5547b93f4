import flax.linen as nn
import jax.numpy as jnp


class SelfAttention(nn.Module):
    d_in: int
    d_k: int
    d_v: int

    def setup(self):
        init = nn.initializers.glorot_uniform()
        self.W_q = self.param("W_q", init, (self.d_in, self.d_k))
        self.W_k = self.param("W_k", init, (self.d_in, self.d_k))
        self.W_v = self.param("W_v", init, (self.d_in, self.d_v))

    def __call__(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        scores = q @ jnp.swapaxes(k, -1, -2) / jnp.sqrt(self.d_k)
        return nn.softmax(scores) @ v
