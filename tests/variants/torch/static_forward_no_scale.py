"""The object plays no part."""
import torch


class ScaledDotProductAttention:
    @staticmethod
    def forward(q, k, v):
        return torch.einsum("...ij,...jd->...id",
                            torch.einsum("...id,...jd->...ij", q, k).softmax(-1), v)
