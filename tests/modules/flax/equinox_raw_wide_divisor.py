from jax import Array
import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import jax


class MHA(eqx.Module):
    wq: Array
    wk: Array
    wv: Array
    wo: Array
    n_heads: int
    dropout: eqx.nn.Dropout

    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.1, *, key: jr.PRNGKey):
        kq, kk, kv, ko = jr.split(key, 4)
        d = d_model // n_heads
        self.wq = jr.normal(kq, (n_heads, d_model, d)) / d_model ** 0.5
        self.wk = jr.normal(kk, (n_heads, d_model, d)) / d_model ** 0.5
        self.wv = jr.normal(kv, (n_heads, d_model, d)) / d_model ** 0.5
        self.wo = jr.normal(ko, (n_heads, d, d_model)) / d_model ** 0.5
        self.n_heads = n_heads
        self.dropout = eqx.nn.Dropout(dropout)

    def __call__(self, x, mask=None, *, key=None):
        q = jnp.einsum("nc,hcd->hnd", x, self.wq)
        k = jnp.einsum("nc,hcd->hnd", x, self.wk)
        v = jnp.einsum("nc,hcd->hnd", x, self.wv)
        scores = jnp.einsum("hnd,hmd->hnm", q, k) / jnp.sqrt(x.shape[-1])
        if mask is not None:
            scores = jnp.where(mask, scores, -jnp.inf)
        weights = self.dropout(jax.nn.softmax(scores, axis=-1), key=key)
        return jnp.einsum("hnm,hmd,hdc->nc", weights, v, self.wo)
