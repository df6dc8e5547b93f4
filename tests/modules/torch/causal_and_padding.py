import torch
import torch.nn.functional as F
from torch import nn


class DecoderSelfAttention(nn.Module):
    """Never looks ahead, and skips padding where a mask (batch, tokens; True = token) is given."""

    def __init__(self, hidden_size, n_heads, max_length, attention_dropout=0.1):
        super().__init__()
        if hidden_size % n_heads:
            raise ValueError(f"hidden_size ({hidden_size}) is no multiple of n_heads ({n_heads})")
        self.n_heads, self.max_length = n_heads, max_length
        self.query_key = nn.Linear(hidden_size, 2 * hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.c_proj = nn.Linear(hidden_size, hidden_size)
        self.attention_dropout = attention_dropout
        seen = torch.ones(max_length, max_length, dtype=torch.bool).tril()
        self.register_buffer("seen", seen[None, None], persistent=False)

    def forward(self, x, mask=None):
        batch, tokens, _ = x.shape
        assert tokens <= self.max_length, "longer than the buffer"
        q, k = self.query_key(x).chunk(2, dim=-1)
        q, k, v = (t.view(batch, tokens, self.n_heads, -1).transpose(1, 2) for t in (q, k, self.value(x)))
        allowed = self.seen[..., :tokens, :tokens]
        if mask is not None:
            allowed = allowed & mask.bool()[:, None, None, :]
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
        weights = F.dropout(F.softmax(scores, dim=-1), self.attention_dropout, training=self.training)
        return self.c_proj((weights @ v).transpose(1, 2).flatten(2))
