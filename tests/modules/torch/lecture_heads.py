import torch
import torch.nn as nn
from torch.nn import functional as F

# hyperparameters
batch_size = 4
block_size = 32
n_embd = 96
n_head = 6
dropout = 0.2
# ------------

torch.manual_seed(1337)


class Head(nn.Module):
    """ one head of masked self-attention """

    def __init__(self, head_size):
        super().__init__()
        self.to_key = nn.Linear(n_embd, head_size, bias=False)
        self.to_query = nn.Linear(n_embd, head_size, bias=False)
        self.to_value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)))
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, C = x.shape
        k, q, v = self.to_key(x), self.to_query(x), self.to_value(x)   # each (B, T, head_size)
        att = q @ k.transpose(-2, -1) * C ** -0.5                      # (B, T, T)
        att = att.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        return self.drop(F.softmax(att, dim=-1)) @ v


class MultiHeadAttention(nn.Module):
    """ several heads side by side """

    def __init__(self, num_heads, head_size):
        super().__init__()
        self.heads = nn.ModuleList(Head(head_size) for _ in range(num_heads))
        self.proj = nn.Linear(num_heads * head_size, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([h(x) for h in self.heads], dim=-1))


x = torch.randn(batch_size, block_size, n_embd)
y = MultiHeadAttention(n_head, n_embd // n_head)(x)
print(y.shape)
