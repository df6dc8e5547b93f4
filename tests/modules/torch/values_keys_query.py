import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super(MultiHeadAttention, self).__init__()
        self.embed_size = embed_size
        self.heads = heads
        self.head_dim = embed_size // heads

        self.v = nn.Linear(embed_size, embed_size)
        self.k = nn.Linear(embed_size, embed_size)
        self.q = nn.Linear(embed_size, embed_size)
        self.fc = nn.Linear(heads * self.head_dim, embed_size)

    def forward(self, value, key, query, mask):
        N = query.shape[0]
        v_len, k_len, q_len = value.shape[1], key.shape[1], query.shape[1]

        value = self.v(value).reshape(N, v_len, self.heads, self.head_dim)
        key = self.k(key).reshape(N, k_len, self.heads, self.head_dim)
        query = self.q(query).reshape(N, q_len, self.heads, self.head_dim)

        energy = torch.einsum('bqhd, bkhd -> bhqk', query, key)   # (N, heads, q_len, k_len)

        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e20)

        att = torch.softmax(energy / (self.embed_size ** (1 / 2)), dim=3)

        result = torch.einsum('bhqk, bkhd -> bqhd', att, value)
        result = result.reshape(N, q_len, self.heads * self.head_dim)
        return self.fc(result)
