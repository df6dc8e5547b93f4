import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Decoder attention. `max_len` and `p_drop` are set at the bottom of the file."""

    def __init__(self, n_emb, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.queries, self.keys, self.values, self.out = (nn.Linear(n_emb, n_emb) for _ in range(4))
        self.drop = nn.Dropout(p_drop)
        future = torch.ones(max_len, max_len, dtype=torch.bool).triu(diagonal=1)
        self.register_buffer("future", future, persistent=False)

    def forward(self, x):
        b, n, c = x.shape
        heads = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = heads(self.queries(x)), heads(self.keys(x)), heads(self.values(x))
        logits = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
        logits = logits.masked_fill(self.future[:n, :n], -torch.inf)
        y = self.drop(logits.softmax(-1)) @ v
        return self.out(y.transpose(1, 2).flatten(-2))


if __name__ == "__main__":
    max_len = 4 * 32
    p_drop = 0.1
    layer = MultiHeadAttention(64, 4)
    print(layer(torch.randn(2, 10, 64)).shape)
