import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalAttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim, context_length):
        super().__init__()
        self.query = nn.Linear(embed_dim, head_dim, bias=False)
        self.key = nn.Linear(embed_dim, head_dim, bias=False)
        self.value = nn.Linear(embed_dim, head_dim, bias=False)
        visible = torch.ones(context_length, context_length).tril(diagonal=1)
        self.register_buffer("visible", visible.bool())

    def forward(self, x):
        n = x.size(-2)
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = torch.einsum("...id,...jd->...ij", q, k) / k.size(-1)
        scores = scores.masked_fill(~self.visible[:n, :n], float("-inf"))
        return torch.einsum("...ij,...jd->...id", F.softmax(scores, dim=-1), v)
