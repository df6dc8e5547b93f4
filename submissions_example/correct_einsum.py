"""Scaled dot-product attention with einsum; any number of leading axes."""
import numpy as np


def softmax(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def attention(q, k, v):
    scores = np.einsum("...nd,...md->...nm", q, k) / np.sqrt(q.shape[-1])
    weights = softmax(scores)
    return np.einsum("...nm,...mv->...nv", weights, v), weights
