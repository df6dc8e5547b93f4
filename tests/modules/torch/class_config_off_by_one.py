import torch
from torch import nn
import torch.nn.functional as F


class Config:
    d_embed = 384
    n_head = 6
    seq_len = 256
    attn_drop = 0.2
    use_bias = False


class Attention(nn.Module):
    def __init__(self, config=Config):
        super().__init__()
        d = config.d_embed
        self.nh = config.n_head
        self.query_key_value = nn.Linear(d, d * 3, bias=config.use_bias)
        self.dense = nn.Linear(d, d, bias=config.use_bias)
        self.p = config.attn_drop
        hidden = torch.full((config.seq_len, config.seq_len), float("-inf"))
        self.register_buffer("hidden", torch.triu(hidden, diagonal=2))

    def forward(self, x):
        b, t, d = x.shape
        qkv = self.query_key_value(x).view(b, t, 3, self.nh, d // self.nh)
        q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * (d // self.nh) ** -0.5
        scores = scores + self.hidden[:t, :t]
        probs = F.dropout(scores.softmax(dim=3), p=self.p, training=self.training)
        return self.dense(torch.einsum("bhij,bjhd->bihd", probs, v).reshape(b, t, d))
