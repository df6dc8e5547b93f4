import torch


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("zero", torch.zeros(1).to("cuda"))

    def forward(self, q, k, v):
        return torch.softmax(q @ k.mT / k.size(-1) ** 0.5 + self.zero, -1) @ v
