"""Attention with static types throughout."""

from __future__ import annotations

from typing import NamedTuple, Optional, TypeVar

import numpy as np
import numpy.typing as npt

Scalar = TypeVar("Scalar", np.float32, np.float64)
Tensor = npt.NDArray[np.float64]
BoolTensor = npt.NDArray[np.bool_]


class AttentionOutput(NamedTuple):
    context: Tensor
    attention_weights: Tensor


def _stable_softmax(logits: Tensor, /, *, axis: int = -1) -> Tensor:
    peak: Tensor = np.amax(logits, axis=axis, keepdims=True)
    numerator: Tensor = np.exp(logits - peak)
    return numerator / numerator.sum(axis=axis, keepdims=True)


def dot_product_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    attn_mask: Optional[BoolTensor] = None,
) -> AttentionOutput:
    logits: Tensor = queries @ keys.swapaxes(-1, -2)
    logits = logits * float(keys.shape[-1]) ** -0.5
    if attn_mask is not None:
        logits = np.where(attn_mask, logits, -1e30)
    weights: Tensor = _stable_softmax(logits)
    return AttentionOutput(context=weights @ values, attention_weights=weights)
