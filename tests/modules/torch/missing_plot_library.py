import torch
from torch import nn
import seaborn as sns
import wandb


class MaskedSelfAttention(nn.Module):
    '''several heads, no peeking'''

    def __init__(self, emb, heads):
        super().__init__()
        self.emb, self.heads = emb, heads
        self.tokeys = nn.Linear(emb, emb, bias=False)
        self.toqueries = nn.Linear(emb, emb, bias=False)
        self.tovalues = nn.Linear(emb, emb, bias=False)
        self.combine_heads = nn.Linear(emb, emb)

    def forward(self, x):
        b, t, e = x.shape
        s = e // self.heads
        keys = self.tokeys(x).view(b, t, self.heads, s).transpose(1, 2)
        queries = self.toqueries(x).view(b, t, self.heads, s).transpose(1, 2)
        values = self.tovalues(x).view(b, t, self.heads, s).transpose(1, 2)

        scores = queries @ keys.transpose(2, 3) / s ** .5
        hidden = torch.tril(torch.ones(t, t, dtype=torch.bool, device=x.device), diagonal=-1)
        scores = scores.masked_fill(hidden, float('-inf'))
        out = torch.softmax(scores, dim=-1) @ values
        return self.combine_heads(out.transpose(1, 2).reshape(b, t, e))


def show(weights):
    sns.heatmap(weights.detach().numpy())
    wandb.log({'attention': weights})
