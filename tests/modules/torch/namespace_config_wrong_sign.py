import torch
import torch.nn as nn
from types import SimpleNamespace


class MultiHeadAttentionLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.hid_dim = config.hid_dim
        self.n_heads = config.n_heads
        self.head_dim = config.hid_dim // config.n_heads
        self.fc_q = nn.Linear(config.hid_dim, config.hid_dim)
        self.fc_k = nn.Linear(config.hid_dim, config.hid_dim)
        self.fc_v = nn.Linear(config.hid_dim, config.hid_dim)
        self.fc_o = nn.Linear(config.hid_dim, config.hid_dim)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, query, key, value, mask = None):
        batch_size = query.shape[0]

        Q = self.fc_q(query).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        K = self.fc_k(key).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        V = self.fc_v(value).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)

        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / (self.head_dim ** 0.5)
        if mask is not None:
            # mask = [batch size, 1, 1, key len]
            energy = energy.masked_fill(mask == 0, -1e-10)
        attention = torch.softmax(energy, dim = -1)

        x = torch.matmul(self.dropout(attention), V).permute(0, 2, 1, 3).contiguous()
        x = self.fc_o(x.view(batch_size, -1, self.hid_dim))
        return x, attention


if __name__ == '__main__':
    cfg = SimpleNamespace(hid_dim = 32, n_heads = 4, dropout = 0.1)
    layer = MultiHeadAttentionLayer(cfg)
    src = torch.randn(3, 7, 32)
    out, att = layer(src, src, src, torch.ones(3, 1, 1, 7))
    print(out.shape, att.sum(-1).mean())
