import math
import torch, torch.nn as nn

class MultiHeadAttention(nn.Module):
    def __init__(self, h_dim, n_heads, drop_p=0.):
        super().__init__()
        self.n_heads = n_heads
        self.q_net = nn.Linear(h_dim, h_dim); self.k_net = nn.Linear(h_dim, h_dim)
        self.v_net = nn.Linear(h_dim, h_dim); self.proj_net = nn.Linear(h_dim, h_dim)
        self.proj_drop = nn.Dropout(drop_p)

    def forward(self, x):
        B, T, C = x.shape
        N, D = self.n_heads, C // self.n_heads
        q = self.q_net(x).view(B, T, N, D).transpose(1,2)
        k = self.k_net(x).view(B, T, N, D).transpose(1,2)
        v = self.v_net(x).view(B, T, N, D).transpose(1,2)
        weights = torch.softmax(q @ k.transpose(2,3) / math.sqrt(D), dim=-1)
        attention = (weights @ v).transpose(1, 2).contiguous().view(B,T,N*D)
        out = self.proj_drop(self.proj_net(attention))
        return out + x      # skip connection helps the gradient
