import flax.linen as nn
import jax
import jax.numpy as jnp


class Attention(nn.Module):
    heads: int
    dim_head: int

    @nn.compact
    def __call__(self, x, mask=None):
        dim = x.shape[-1]
        qkv = nn.DenseGeneral((3, self.heads, self.dim_head), use_bias=False,
                              name="to_qkv")(x)
        q, k, v = qkv[..., 0, :, :], qkv[..., 1, :, :], qkv[..., 2, :, :]
        dots = jnp.einsum("bihd,bjhd->bhij", q, k) * self.dim_head ** -0.5
        attn = jax.nn.softmax(dots, axis=-1)
        if mask is not None:
            attn = jnp.where(mask, attn, 0.0)
        out = jnp.einsum("bhij,bjhd->bihd", attn, v)
        return nn.DenseGeneral(dim, axis=(-2, -1), name="to_out")(out)
