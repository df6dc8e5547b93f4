import torch
import torch.nn as nn


class ProbNorm(nn.Module):
    def forward(self, s):
        return s.softmax(-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)
        self.prob = ProbNorm()

    def forward(self, x):
        b, n, c = x.shape
        
        q, k, v = (f(x).view(b, n, self.num_heads, -1).transpose(1, 2) for f in (self.w_q, self.w_k, self.w_v))
        s = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
        
        y = self.w_o((self.prob(s) @ v).transpose(1, 2).reshape(b, n, c))
        return x + y
