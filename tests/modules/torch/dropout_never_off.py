import math
import torch
import torch.nn.functional as F
from torch import nn


class MHA(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        assert d % h == 0
        self.d, self.h = d, h
        self.qkv = nn.ModuleList([nn.Linear(d, d) for _ in range(3)])
        self.o = nn.Linear(d, d)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (f(x).view(b, t, self.h, self.d // self.h).transpose(1, 2) for f in self.qkv)
        w = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.d // self.h), -1)
        w = F.dropout(w, 0.1)   # regularisation
        return self.o((w @ v).transpose(1, 2).reshape(b, t, self.d))
