from torch import nn
from torch.nn.functional import softmax


class AttentionLayer(nn.Module):
    """hparams: the trainer's object with hidden_dim, heads_count and attention_dropout."""

    def __init__(self, hparams: "Hparams"):
        super().__init__()
        self.h = hparams.heads_count
        self.width = hparams.hidden_dim // self.h
        self.hidden = hparams.hidden_dim
        self.in_proj = nn.Linear(self.hidden, self.hidden * 3)
        self.merge = nn.Linear(self.hidden, self.hidden)
        self.dropout = nn.Dropout(hparams.attention_dropout)

    def forward(self, inputs):
        batch, steps, _ = inputs.shape
        query, key, value = self.in_proj(inputs).split(self.hidden, dim=2)
        query = query.reshape(batch, steps, self.h, self.width).permute(0, 2, 1, 3)
        key = key.reshape(batch, steps, self.h, self.width).permute(0, 2, 3, 1)
        value = value.reshape(batch, steps, self.h, self.width).permute(0, 2, 1, 3)

        energies = query.matmul(key).div(self.width ** 0.5)
        probabilities = self.dropout(softmax(energies, dim=-2))

        context = probabilities.matmul(value).permute(0, 2, 1, 3)
        return probabilities, self.merge(context.reshape(batch, steps, self.hidden))
