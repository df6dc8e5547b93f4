# SPDX-License-Identifier: MIT
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.inner = nn.MultiheadAttention(d_model, num_heads, bias=False,
                                           batch_first=True)

    def forward(self, x):
        return self.inner(x, x, x)[0]
