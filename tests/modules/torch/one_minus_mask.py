from numpy import sqrt
import torch
from torch import nn, matmul
from torch.nn.functional import softmax


class MultiHeadAttention(nn.Module):
    def __init__(self, h, dk, dv, d_model):
        super(MultiHeadAttention, self).__init__()
        self.heads = h
        self.dk = dk
        self.W_q = nn.Linear(d_model, h * dk)
        self.W_k = nn.Linear(d_model, h * dk)
        self.W_v = nn.Linear(d_model, h * dv)
        self.W_o = nn.Linear(h * dv, d_model)

    def reshape_tensor(self, x, flag):
        if flag:
            # (batch, heads, length, -1)
            return x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)
        return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)

    def forward(self, queries, keys, values, mask=None):
        q = self.reshape_tensor(self.W_q(queries), True)
        k = self.reshape_tensor(self.W_k(keys), True)
        v = self.reshape_tensor(self.W_v(values), True)
        scores = matmul(q, k.transpose(2, 3)) / float(sqrt(self.dk))
        if mask is not None:
            # 1. for what counts, 0. for padding
            scores = scores + -1e9 * (1 - mask)
        return self.W_o(self.reshape_tensor(matmul(softmax(scores, -1), v), False))
