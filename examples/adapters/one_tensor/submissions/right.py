import math

import torch
from torch import nn


class WordMixer(nn.Module):
    def __init__(self, vocabulary, width, heads):
        super().__init__()
        self.numbers = {word: i for i, word in enumerate(vocabulary)}
        self.embedding = nn.Embedding(len(vocabulary), width)
        self.maps = nn.Parameter(torch.randn(heads, 3, width // heads, width))
        self.merge = nn.Parameter(torch.randn(heads, width // heads, width))
        self.dropout = nn.Dropout(0.1)

    def mix(self, x):
        q, k, v = torch.einsum("...nc,hpdc->p...hnd", x, self.maps)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = self.dropout(scores.softmax(dim=-1))
        return torch.einsum("...hnd,hdc->...nc", weights @ v, self.merge)

    def forward(self, words):
        numbers = torch.tensor([self.numbers[word] for word in words])
        return self.mix(self.embedding(numbers))
