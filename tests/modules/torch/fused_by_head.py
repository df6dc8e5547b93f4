import torch
from torch import nn, Tensor


class MHSA(nn.Module):
    def __init__(self, channels: int, heads: int = 4) -> None:
        super().__init__()
        if channels % heads != 0:
            raise ValueError(f"{channels=} is not a multiple of {heads=}")
        self.heads: int = heads
        self.kqv = nn.Linear(channels, 3 * channels, bias=False)
        self.projection = nn.Linear(channels, channels, bias=True)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        *lead, n, c = x.shape
        # the rows of kqv lie head by head, and within a head: keys, queries, values
        packed = self.kqv(x).view(*lead, n, self.heads, 3, c // self.heads)
        k, q, v = packed.movedim(-2, 0).transpose(-3, -2)
        root: float = float(q.size(-1)) ** -0.25
        weights = torch.softmax((q * root) @ (k * root).transpose(-1, -2), -1)
        z = (weights @ v).transpose(-3, -2).reshape(*lead, n, c)
        return self.projection(z), weights
