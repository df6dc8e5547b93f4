import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        width = config["d_model"]
        self.in_proj = nn.Linear(width, width * 3)
        self.out_proj = nn.Linear(width, width)

    def forward(self, tokens):
        b, t, width = tokens.shape
        heads = self.config["num_heads"]
        q, k, v = self.in_proj(tokens).chunk(3, dim=-1)
        q, k, v = (part.reshape(b, t, heads, -1).transpose(1, 2)
                   for part in (q, k, v))
        weights = F.softmax(q @ k.transpose(2, 3) / width ** 0.5, dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, t, width))
