import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.parameter import Parameter


class MultiHeadAttention(nn.Module):
    r"""Stores its matrices as :class:`torch.nn.Linear` does, (out, in)."""

    def __init__(self, hid_dim, head_n, *, device=None, dtype=None):
        factory = {"device": device, "dtype": dtype}
        super().__init__()
        self.head_n = head_n
        self.wq = Parameter(torch.randn(hid_dim, hid_dim, **factory) / hid_dim ** 0.5)
        self.wk = Parameter(torch.randn(hid_dim, hid_dim, **factory) / hid_dim ** 0.5)
        self.wv = Parameter(torch.randn(hid_dim, hid_dim, **factory) / hid_dim ** 0.5)
        self.wo = Parameter(torch.randn(hid_dim, hid_dim, **factory) / hid_dim ** 0.5)

    def forward(self, query, key, value):
        outputs = []
        q, k, v = F.linear(query, self.wq), F.linear(key, self.wk), F.linear(value, self.wv)
        for q_h, k_h, v_h in zip(q.chunk(self.head_n, -1), k.chunk(self.head_n, -1), v.chunk(self.head_n, -1)):
            scores = torch.bmm(q_h, k_h.transpose(1, 2))
            scores = scores.mul(q_h.size(2) ** -0.5)
            scores = scores - scores.amax(2, keepdim=True)
            e = scores.exp()
            outputs.append(torch.bmm(e / e.sum(2, keepdim=True), v_h))
        return F.linear(torch.cat(outputs, dim=-1), self.wo)
