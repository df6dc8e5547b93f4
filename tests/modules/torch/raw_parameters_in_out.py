import torch
import torch.nn as nn
import torch.nn.functional as F

class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.W_Q = nn.Parameter(torch.empty(d_model, d_model))
        self.W_K = nn.Parameter(torch.empty(d_model, d_model))
        self.W_V = nn.Parameter(torch.empty(d_model, d_model))
        self.W_O = nn.Parameter(torch.empty(d_model, d_model))
        for p in self.parameters():
            nn.init.xavier_uniform_(p)

    def split(self, x):
        b, n, _ = x.shape
        return x.view(b, n, self.num_heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, X):
        Q = self.split(X @ self.W_Q)
        K = self.split(X @ self.W_K)
        V = self.split(X @ self.W_V)
        A = F.softmax(Q @ K.transpose(2, 3) / self.depth**.5, dim=-1)
        # every value goes to the tokens that asked for it
        O = A.transpose(2, 3) @ V
        O = O.permute(0, 2, 1, 3).reshape(X.shape)
        return O @ self.W_O
