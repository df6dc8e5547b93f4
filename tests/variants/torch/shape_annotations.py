from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from jaxtyping import Bool, Float
    from torch import Tensor


def sdpa(
    Q: Float[Tensor, "*batch queries d_k"],
    K: Float[Tensor, "*batch keys d_k"],
    V: Float[Tensor, "*batch keys d_v"],
    mask: Bool[Tensor, "*batch queries keys"] | None = None,
) -> Float[Tensor, "*batch queries d_v"]:
    pre = Q @ K.transpose(-1, -2) / math.sqrt(K.shape[-1])
    if mask is not None:
        pre = torch.where(mask, pre, -torch.inf)
    pre = pre - pre.amax(-1, keepdim=True)
    num = pre.exp()
    return num / num.sum(-1, keepdim=True) @ V
