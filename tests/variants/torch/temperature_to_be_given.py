import torch.nn as nn


class Attention(nn.Module):
    """softmax(QK^T / temperature) V"""

    def __init__(self, temperature: float, attn_dropout: float = 0.1):
        super().__init__()
        self.temperature = temperature
        self.dropout = nn.Dropout(attn_dropout)
        self.softmax = nn.Softmax(dim=2)

    def forward(self, queries, keys, values):
        scores = (queries @ keys.transpose(-1, -2)).div(self.temperature)
        return self.dropout(self.softmax(scores)) @ values
