# -*- coding: utf-8 -*-
import numpy as np

D_K = 64

# Внимание: softmax(QK^T / sqrt(d_k)) V
def attention(q, k, v):
	скоры = q @ k.swapaxes(-1, -2) / np.sqrt(D_K)
	e = np.exp(скоры - скоры.max(-1, keepdims=True))
	return e / e.sum(-1, keepdims=True) @ v
