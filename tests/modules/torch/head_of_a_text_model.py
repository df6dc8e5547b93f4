import torch
import torch.nn as nn
import torch.nn.functional as F

block_size = 64
n_embed = 48
learning_rate = 3e-4

with open("tinyplays.txt", encoding="utf-8") as f:
    text = f.read()
chars = sorted(set(text))
vocab_size = len(chars)
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])


class Head(nn.Module):
    def __init__(self, head_size):
        super().__init__()
        self.head_size = head_size
        self.key = nn.Linear(n_embed, head_size, bias=False)
        self.query = nn.Linear(n_embed, head_size, bias=False)
        self.value = nn.Linear(n_embed, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        _, T, _ = x.shape
        wei = self.query(x) @ self.key(x).transpose(1, 2) / self.head_size ** 0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=2)
        return wei @ self.value(x)


class Bigram(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, n_embed)
        self.sa = Head(n_embed)
        self.lm_head = nn.Linear(n_embed, vocab_size)

    def forward(self, idx):
        return self.lm_head(self.sa(self.tok(idx)))


model = Bigram()
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
for step in range(5000):
    ix = torch.randint(len(data) - block_size - 1, (32,))
    xb = torch.stack([data[i:i + block_size] for i in ix])
    yb = torch.stack([data[i + 1:i + block_size + 1] for i in ix])
    loss = F.cross_entropy(model(xb).flatten(0, 1), yb.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
