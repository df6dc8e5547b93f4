import argparse
import torch
from torch import nn
from torch.optim import Adam


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, dim_embed: int = 64, num_of_heads: int = 8):
        super().__init__()
        self.num_of_heads = num_of_heads
        self.query = nn.Linear(dim_embed, dim_embed)
        self.key = nn.Linear(dim_embed, dim_embed)
        self.value = nn.Linear(dim_embed, dim_embed)
        self.concat = nn.Linear(dim_embed, dim_embed)

    def forward(self, x):
        b, n, c = x.shape
        d = c // self.num_of_heads
        q = self.query(x).view(b, n, self.num_of_heads, d).transpose(1, 2)
        k = self.key(x).view(b, n, self.num_of_heads, d).transpose(1, 2)
        v = self.value(x).view(b, n, self.num_of_heads, d).transpose(1, 2)
        att = torch.softmax(q @ k.transpose(2, 3) * d ** -0.5, dim=-1) @ v
        # heads next to each other again
        return self.concat(att.contiguous().view(b, n, c))


class Classifier(nn.Module):
    def __init__(self, dim_embed, classes):
        super().__init__()
        self.attn = MultiHeadSelfAttention(dim_embed)
        self.head = nn.Linear(dim_embed, classes)

    def forward(self, x):
        return self.head(self.attn(x).mean(dim=1))


def train(args):
    torch.manual_seed(args.seed)
    net = Classifier(64, 3)
    optimizer = Adam(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        x, y = torch.randn(16, 12, 64), torch.randint(3, (16,))
        loss = nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    train(parser.parse_args())
