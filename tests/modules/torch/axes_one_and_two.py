import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, in_features, key_size):
        super().__init__()
        self.key_size = key_size
        self.query_layer = nn.Linear(in_features, key_size, bias=False)
        self.key_layer = nn.Linear(in_features, key_size, bias=False)
        self.value_layer = nn.Linear(in_features, key_size, bias=False)

    def forward(self, sentence):
        queries = self.query_layer(sentence)
        keys = self.key_layer(sentence)
        values = self.value_layer(sentence)
        energy = torch.matmul(queries, keys.transpose(1, 2))
        attention = torch.softmax(energy / self.key_size ** 0.5, dim=-1)
        return torch.matmul(attention, values)
