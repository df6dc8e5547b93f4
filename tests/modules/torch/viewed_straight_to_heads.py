import numpy as np
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, embedding_dim=512, num_heads=8):
        super().__init__()
        self.num_heads = num_heads
        self.key_dim = embedding_dim // num_heads
        self.norm_factor = 1 / np.sqrt(self.key_dim)
        self.queries = nn.Linear(embedding_dim, embedding_dim)
        self.keys = nn.Linear(embedding_dim, embedding_dim)
        self.values = nn.Linear(embedding_dim, embedding_dim)
        self.fc_o = nn.Linear(embedding_dim, embedding_dim)

    def forward(self, queries, keys, values):
        bs, nq = queries.shape[:2]
        nk = keys.shape[1]

        # (bs, heads, tokens, key_dim)
        q = self.queries(queries).view(bs, self.num_heads, nq, self.key_dim)
        k = self.keys(keys).view(bs, self.num_heads, nk, self.key_dim).permute(0, 1, 3, 2)
        v = self.values(values).view(bs, self.num_heads, nk, self.key_dim)

        att = torch.softmax(torch.matmul(q, k) * self.norm_factor, -1)
        out = torch.matmul(att, v).permute(0, 2, 1, 3).contiguous()
        return self.fc_o(out.view(bs, nq, self.num_heads * self.key_dim))
