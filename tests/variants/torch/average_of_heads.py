from typing import Optional, Tuple

import torch
from torch import Tensor


@torch.no_grad()
def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    attn_mask: Optional[Tensor] = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
) -> Tuple[Tensor, Optional[Tensor]]:
    """attn_mask: True = takes part. Weights come averaged over the heads."""
    scores = torch.einsum("...nd, ...md -> ...nm", q * q.shape[-1] ** -0.5, k)
    if attn_mask is not None:
        scores = scores.where(attn_mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    output = weights @ v
    if not need_weights:
        return output, None
    if average_attn_weights and weights.dim() == 4:
        weights = weights.mean(dim=1)
    return output, weights
