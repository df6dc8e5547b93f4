import torch
from torch import nn


class LengthAwareAttention(nn.Module):
    """valid_len: (batch,), how many tokens of each sentence are real."""

    def __init__(self, input_size, num_heads, drop=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.size_per_head = input_size // num_heads
        self.Wq = nn.Linear(input_size, input_size)
        self.Wk = nn.Linear(input_size, input_size)
        self.Wv = nn.Linear(input_size, input_size)
        self.Wo = nn.Linear(input_size, input_size)
        self.drop = nn.Dropout(drop)

    def forward(self, x, valid_len=None):
        batch, steps, width = x.shape
        def heads(t): return t.view(batch, steps, self.num_heads, self.size_per_head).transpose(1, 2)
        q, k, v = heads(self.Wq(x)), heads(self.Wk(x)), heads(self.Wv(x))
        score = q @ k.transpose(-1, -2) / self.size_per_head ** .5
        if valid_len is not None:
            real = torch.arange(steps, device=x.device)[None, :] < valid_len[:, None]   # batch, keys
            score = score * real[:, None, None, :]
        prob = self.drop(torch.softmax(score, dim=-1))
        return self.Wo((prob @ v).transpose(1, 2).reshape(batch, steps, width))
