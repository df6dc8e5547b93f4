import numpy as np
from math import sqrt


class MultiHeadAttention(object):
    def __init__(self, num_heads, model_dim):
        assert model_dim % num_heads == 0
        d = model_dim // num_heads
        draw = lambda *shape: np.random.uniform(-1, 1, shape) / sqrt(model_dim)
        self.q_heads = draw(num_heads, model_dim, d)
        self.k_heads = draw(num_heads, model_dim, d)
        self.v_heads = draw(num_heads, model_dim, d)
        self.o_heads = draw(num_heads, d, model_dim)

    def forward(self, x, mask=None):
        """x (..., n, model_dim); mask (batch, 1, n, n), true = visible"""
        q = np.einsum('...nc,hcd->...hnd', x, self.q_heads)
        k = np.einsum('...nc,hcd->...hnd', x, self.k_heads)
        v = np.einsum('...nc,hcd->...hnd', x, self.v_heads)
        s = np.einsum('...hnd,...hmd->...hnm', q, k) / sqrt(q.shape[-1])
        if mask is not None:
            s = np.where(mask, s, -np.inf)
        top = s.max(axis=-1, keepdims=True)
        w = np.exp(s - np.where(np.isfinite(top), top, 0))
        w = w / np.maximum(w.sum(axis=-1, keepdims=True), 1e-300)
        return {'output': np.einsum('...hnm,...hmd,hdc->...nc', w, v, self.o_heads, optimize=True), 'weights': w}
