import torch
from torch import nn


class ConvAttention(nn.Module):
    """Speech people like 1x1 convolutions. Input and output are (batch, time, channels)."""

    def __init__(self, in_channels, n_heads, p_dropout=0.):
        super().__init__()
        self.n_heads = n_heads
        self.k_channels = in_channels // n_heads
        self.conv_q = nn.Conv1d(in_channels, in_channels, 1)
        self.conv_k = nn.Conv1d(in_channels, in_channels, 1)
        self.conv_v = nn.Conv1d(in_channels, in_channels, 1)
        self.conv_o = nn.Conv1d(in_channels, in_channels, 1)
        self.drop = nn.Dropout(p_dropout)
        nn.init.xavier_uniform_(self.conv_q.weight)
        nn.init.xavier_uniform_(self.conv_k.weight)

    def forward(self, x):
        x = x.transpose(1, 2)
        b, d, t = x.size()
        q = self.conv_q(x).view(b, self.n_heads, self.k_channels, t)
        k = self.conv_k(x).view(b, self.n_heads, self.k_channels, t)
        v = self.conv_v(x).view(b, self.n_heads, self.k_channels, t)
        w = torch.einsum("bhct,bhcs->bhts", q / self.k_channels ** 0.5, k)
        w = self.drop(w.softmax(-1))
        y = torch.einsum("bhts,bhcs->bhct", w, v).reshape(b, d, t)
        return self.conv_o(y).transpose(1, 2)
