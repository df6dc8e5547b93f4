from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Attended(NamedTuple):
    output: torch.Tensor
    weights: torch.Tensor


class MultiHeadAttention(nn.Module):
    def __init__(self, embedding_dim: int, n_head: int, dropout: float = 0.0):
        super().__init__()
        self.n_head = n_head
        self.head_dim = embedding_dim // n_head
        self.w_q = nn.Linear(embedding_dim, embedding_dim)
        self.w_k = nn.Linear(embedding_dim, embedding_dim)
        self.w_v = nn.Linear(embedding_dim, embedding_dim)
        self.w_o = nn.Linear(embedding_dim, embedding_dim)
        self.dropout = nn.Dropout(dropout)

    def _heads(self, t: torch.Tensor) -> torch.Tensor:
        return t.reshape(*t.shape[:2], self.n_head, self.head_dim).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> Attended:
        q = self._heads(self.w_q(x))
        k = self._heads(self.w_k(x))
        v = self._heads(self.w_v(x))
        scores = torch.einsum("bhid,bhjd->bhij", q, q) / self.head_dim ** 0.5
        weights = self.dropout(F.softmax(scores, dim=-1))
        mixed = torch.einsum("bhij,bhjd->bihd", weights, v).flatten(2)
        return Attended(output=self.w_o(mixed), weights=weights)
