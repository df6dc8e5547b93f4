import torch
from torch import nn


class InterleavedAttention(nn.Module):
    """Head h owns the columns h, h + H, h + 2 H, ... of each projection."""

    def __init__(self, dims: int, head_n: int):
        super().__init__()
        self.head_n = head_n
        self.fc_q = nn.Linear(dims, dims)
        self.fc_k = nn.Linear(dims, dims)
        self.fc_v = nn.Linear(dims, dims)
        self.fc_out = nn.Linear(dims, dims)

    def forward(self, x):
        deal = lambda t: t.unflatten(-1, (-1, self.head_n)).movedim(-1, -3)     # ..., H, n, d
        q, k, v = deal(self.fc_q(x)), deal(self.fc_k(x)), deal(self.fc_v(x))
        scores = torch.matmul(q, k.mT) * k.size(-1) ** -0.5
        y = torch.matmul(torch.softmax(scores, -1), v)
        return self.fc_out(y.movedim(-3, -1).flatten(-2)), scores.softmax(-1)
