"""Homework 3: multi-head attention in Flax, after the tutorial of the course."""
import math
from typing import Optional

import jax
import jax.numpy as jnp
from flax import linen as nn


def scaled_dot_product(q, k, v, mask=None):
    logits = jnp.matmul(q, jnp.swapaxes(k, -2, -1)) / math.sqrt(q.shape[-1])
    if mask is not None:
        logits = jnp.where(mask == 0, -9e15, logits)
    attention = nn.softmax(logits, axis=-1)
    return jnp.matmul(attention, v), attention


def expand_mask(mask):
    if mask.ndim == 3:
        mask = mask[:, None]
    while mask.ndim < 4:
        mask = mask[None]
    return mask


class MultiheadAttention(nn.Module):
    embed_dim: int
    num_heads: int

    def setup(self):
        self.q_proj = nn.Dense(self.embed_dim)
        self.k_proj = nn.Dense(self.embed_dim)
        self.v_proj = nn.Dense(self.embed_dim)
        self.o_proj = nn.Dense(self.embed_dim)

    def split(self, x):
        batch, length, _ = x.shape
        x = x.reshape(batch, length, self.num_heads, -1)
        return x.transpose(0, 2, 1, 3)

    def __call__(self, x, mask=None):
        batch, length, width = x.shape
        if mask is not None:
            mask = expand_mask(mask)
        values, attention = scaled_dot_product(
            self.split(self.q_proj(x)), self.split(self.k_proj(x)),
            self.split(self.v_proj(x)), mask)
        values = values.transpose(0, 2, 1, 3).reshape(batch, length, width)
        return self.o_proj(values), attention
