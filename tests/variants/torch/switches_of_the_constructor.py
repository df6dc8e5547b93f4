import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, is_causal: bool = True, p: float = 0.2,
                 training: bool = True) -> None:
        super().__init__()
        self.is_causal, self.p, self.live = is_causal, p, training

    def forward(self, q, k, v):
        logits = torch.einsum("...id,...jd->...ij", q, k) / k.size(-1) ** 0.5
        if self.is_causal:
            above = torch.ones_like(logits, dtype=torch.bool).triu(1)
            logits.masked_fill_(above, float("-inf"))
        p_attn = nn.functional.softmax(logits, dim=-1)
        return nn.functional.dropout(p_attn, self.p, self.live) @ v
