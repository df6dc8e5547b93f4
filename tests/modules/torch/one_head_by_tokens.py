import math
import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, input_dim, out_dim):
        super().__init__()
        self.q = nn.Linear(input_dim, out_dim)
        self.k = nn.Linear(input_dim, out_dim)
        self.v = nn.Linear(input_dim, out_dim)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        d_k = k.size(1)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
        weights = torch.softmax(scores, dim=-1)
        return torch.matmul(weights, v), weights
