from typing import Any, Optional

import flax.linen as nn
import jax
import jax.numpy as jnp

Array = Any


class Attention(nn.Module):
    """Inputs (batch, tokens, features); features come from the input."""
    num_heads: int
    dropout_rate: float = 0.1
    deterministic: Optional[bool] = None

    @nn.compact
    def __call__(self, inputs: Array, deterministic: Optional[bool] = None) -> Array:
        features = inputs.shape[-1]
        head_dim = features // self.num_heads
        deterministic = nn.merge_param("deterministic", self.deterministic,
                                       deterministic)
        dense = lambda name: nn.DenseGeneral(
            features=(self.num_heads, head_dim), axis=-1, use_bias=False, name=name)
        query = dense("query")(inputs) * head_dim ** -0.5
        key = dense("key")(inputs)
        value = dense("value")(inputs)
        probs = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", query, key), axis=-1)
        probs = nn.Dropout(self.dropout_rate)(probs, deterministic=deterministic)
        context = jnp.einsum("bhqk,bkhd->bqhd", probs, value)
        return nn.DenseGeneral(features, axis=(-2, -1), name="out")(context)
