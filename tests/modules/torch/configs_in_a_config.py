from dataclasses import dataclass, field
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class AttnCfg:
    n_heads: int = 6
    dropout: float = 0.0
    causal: bool = True


@dataclass
class ModelCfg:
    d_model: int = 72
    max_seq_len: int = 64


@dataclass
class Config:
    model: ModelCfg = field(default_factory=ModelCfg)
    attn: AttnCfg = field(default_factory=AttnCfg)
    lr: float = 1e-3


class MultiHeadAttention(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        c, h = cfg.model.d_model, cfg.attn.n_heads
        self.h = h
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(c, c, bias=False) for _ in range(4))
        self.drop = cfg.attn.dropout
        self.register_buffer("future", torch.ones(cfg.model.max_seq_len, cfg.model.max_seq_len).triu(1).bool())

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (p(x).view(b, n, self.h, c // self.h).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        s = q @ k.transpose(-1, -2) * (c // self.h) ** -0.5
        s = s.masked_fill(self.future[:n, :n], torch.finfo(s.dtype).min)
        a = F.dropout(s.softmax(-1), self.drop, self.training)
        return self.o_proj((a @ v).transpose(1, 2).flatten(2))


class Decoder(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.layers = nn.ModuleList([MultiHeadAttention(cfg) for _ in range(2)])

    def forward(self, x):
        for l in self.layers:
            x = x + l(x)
        return x
