import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, num_hiddens, head_number):
        super().__init__()
        assert num_hiddens % head_number == 0
        self.head_number = head_number
        self.query_dense = nn.Linear(num_hiddens, num_hiddens)
        self.key_dense = nn.Linear(num_hiddens, num_hiddens)
        self.value_dense = nn.Linear(num_hiddens, num_hiddens)
        self.dense = nn.Linear(num_hiddens, num_hiddens)

    def forward(self, x):
        batch, length, hiddens = x.shape
        shape = (batch, length, self.head_number, hiddens // self.head_number)
        q = self.query_dense(x).view(shape)
        k = self.key_dense(x).view(shape)
        v = self.value_dense(x).view(shape)
        scores = q @ k.transpose(-1, -2) / shape[-1] ** 0.5
        weights = scores.softmax(dim=-1)
        return self.dense((weights @ v).reshape(batch, length, hiddens))


d, h = 12, 3
x = torch.arange(2. * 4 * d).reshape(2, 4, d) / 50
attention = MultiHeadAttention(d, h)
y = attention(x)
print("in ", tuple(x.shape))
print("out", tuple(y.shape))
assert y.shape == x.shape
