import torch
from torch import nn


class MultiHeadSelfAttention(nn.Module):

    def __init__(self, in_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.dim_head = in_dim // num_heads
        self.scale = self.dim_head ** -0.5
        self.to_q = nn.Linear(in_dim, in_dim, bias=False)
        self.to_k = nn.Linear(in_dim, in_dim, bias=False)
        self.to_v = nn.Linear(in_dim, in_dim, bias=False)
        self.to_out = nn.Linear(in_dim, in_dim)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.to_q(x).view(b, n, self.num_heads, self.dim_head)
        k = self.to_k(x).view(b, n, self.num_heads, self.dim_head)
        v = x.view(b, n, self.num_heads, self.dim_head)

        sim = torch.einsum('bihd, bjhd -> bhij', q, k) * self.scale
        attn = sim.softmax(dim=-1)
        out = torch.einsum('bhij, bjhd -> bihd', attn, v)
        return self.to_out(out.reshape(b, n, -1)), attn
