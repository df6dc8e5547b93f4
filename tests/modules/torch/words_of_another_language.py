import math
import torch
from torch import nn


class MeerkoppigeAttention(nn.Module):
    """Aandacht met meer koppen."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.koppen = num_heads
        self.vraag = nn.Linear(d_model, d_model)
        self.sleutel = nn.Linear(d_model, d_model)
        self.waarde = nn.Linear(d_model, d_model)
        self.uitgang = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, breedte = x.shape
        kop = breedte // self.koppen

        def verdeel(t):
            return t.view(b, n, self.koppen, kop).permute(0, 2, 1, 3)

        vragen, sleutels, waarden = verdeel(self.vraag(x)), verdeel(self.sleutel(x)), verdeel(self.waarde(x))
        gewichten = torch.softmax(vragen @ sleutels.transpose(2, 3) / math.sqrt(kop), dim=-1)
        return self.uitgang((gewichten @ waarden).permute(0, 2, 1, 3).reshape(b, n, breedte))
