import math

from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class MultiHeadAttention(nn.Module):
    def __init__(self, channels, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_lin = weight_norm(nn.Linear(channels, channels))
        self.k_lin = weight_norm(nn.Linear(channels, channels))
        self.v_lin = weight_norm(nn.Linear(channels, channels))
        self.out_lin = weight_norm(nn.Linear(channels, channels))

    def forward(self, x):
        batch, steps, channels = x.shape
        width = channels // self.n_heads

        def by_head(y):
            return y.view(batch, steps, self.n_heads, width).permute(0, 2, 1, 3)

        q = by_head(self.q_lin(x))
        k = by_head(self.k_lin(x))
        v = by_head(self.v_lin(x))
        attention = (q @ k.permute(0, 1, 3, 2) / math.sqrt(width)).softmax(3)
        mixed = (attention @ v).permute(0, 2, 1, 3).reshape(batch, steps, channels)
        return self.out_lin(mixed)
