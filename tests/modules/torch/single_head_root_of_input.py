import math
from torch import nn


class SingleHeadAttention(nn.Module):
    def __init__(self, input_dim: int, dim_q: int, dim_v: int, qkv_bias: bool = False):
        """
        input_dim: width of a token
        dim_q: width of queries and keys
        dim_v: width of values, hence of the result
        """
        super().__init__()
        self.input_dim = input_dim
        self.q = nn.Linear(input_dim, dim_q, bias=qkv_bias)
        self.k = nn.Linear(input_dim, dim_q, bias=qkv_bias)
        self.v = nn.Linear(input_dim, dim_v, bias=qkv_bias)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        scores = self.q(x).matmul(self.k(x).transpose(-2, -1)) / math.sqrt(self.input_dim)
        weights = self.softmax(scores)
        return weights.matmul(self.v(x)), weights
