"""GPT in flax, block by block."""
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import flax.linen as nn


@dataclass
class GPTConfig:
    block_size: int = 1024
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.1


class CausalSelfAttention(nn.Module):
    config: GPTConfig

    @nn.compact
    def __call__(self, x, *, train: bool = True):
        B, T, C = x.shape
        H = self.config.n_head
        qkv = nn.Dense(3 * C)(x)
        q, k, v = jnp.split(qkv, 3, axis=-1)
        q, k, v = (t.reshape(B, T, H, C // H).swapaxes(1, 2) for t in (q, k, v))
        att = (q @ k.swapaxes(-2, -1)) / jnp.sqrt(k.shape[-1])
        causal = jnp.tril(jnp.ones((T, T)))
        att = jnp.where(causal == 0, -jnp.inf, att)
        att = jax.nn.softmax(att, axis=-1)
        att = nn.Dropout(self.config.dropout, deterministic=not train)(att)
        y = (att @ v).swapaxes(1, 2).reshape(B, T, C)
        return nn.Dropout(self.config.dropout, deterministic=not train)(nn.Dense(C)(y))
