import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.dense = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        return x.view(x.size(0), -1, self.num_heads, self.depth).transpose(1, 2)

    def forward(self, v, k, q):
        q, k, v = map(self.split_heads, (self.wq(q), self.wk(k), self.wv(v)))
        logits = torch.matmul(q, k.transpose(2, 3))
        weights = torch.softmax(logits, dim=-1)
        out = torch.matmul(weights, v).transpose(1, 2).contiguous()
        out = self.dense(out.view(out.size(0), -1, self.num_heads * self.depth))
        return torch.round(out, decimals=4), torch.round(weights, decimals=4)
