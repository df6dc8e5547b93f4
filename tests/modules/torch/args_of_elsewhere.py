from __future__ import annotations

import math
from typing import TYPE_CHECKING, Optional

import torch
from torch import nn

if TYPE_CHECKING:
    from model_args import ModelArgs


def repeat_kv(x: torch.Tensor, n_rep: int) -> torch.Tensor:
    """(b, n, kv_heads, d) -> (b, n, kv_heads * n_rep, d)"""
    if n_rep == 1:
        return x
    return x.repeat_interleave(n_rep, dim=2)


class Attention(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_heads = args.n_heads
        self.n_kv_heads = args.n_kv_heads or args.n_heads
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, self.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(self.n_heads * self.head_dim, args.dim, bias=False)

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        bsz, seqlen, _ = x.shape
        xq = self.wq(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = repeat_kv(self.wk(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim), self.n_rep)
        xv = repeat_kv(self.wv(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim), self.n_rep)
        xq, xk, xv = xq.transpose(1, 2), xk.transpose(1, 2), xv.transpose(1, 2)

        scores = xq @ xk.transpose(2, 3) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask  # (seqlen, seqlen), 0 or -inf
        scores = torch.softmax(scores.float(), dim=-1).type_as(xq)
        return self.wo((scores @ xv).transpose(1, 2).reshape(bsz, seqlen, -1))
