import torch
import torch.nn as nn


class EncoderSelfAttention(nn.Module):
    def __init__(self, embed_dim: int = 256, num_heads: int = 4, attn_dropout: float = 0.0):
        super().__init__()
        self.attn = nn.MultiheadAttention(embed_dim, num_heads, dropout=attn_dropout, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, _ = self.attn(x, x, x, need_weights=False)
        return y
