import torch.nn as nn
import torch.nn.functional as F


class TimeMajorAttention(nn.Module):
    """Input (time, batch, emb_dim) as our RNNs want it; weights come back as (batch, nhead, time, time)."""

    def __init__(self, emb_dim, nhead):
        super().__init__()
        if emb_dim % nhead:
            raise ValueError('emb_dim / nhead must be whole')
        self.nhead, self.per_head = nhead, emb_dim // nhead
        self.q_lin = nn.Linear(emb_dim, emb_dim)
        self.k_lin = nn.Linear(emb_dim, emb_dim)
        self.v_lin = nn.Linear(emb_dim, emb_dim)
        self.out_lin = nn.Linear(emb_dim, emb_dim)

    def forward(self, x):
        time, batch, _ = x.shape

        def shape(t):
            # (time, batch, emb_dim) -> (batch, nhead, time, per_head)
            return t.view(time, batch, self.nhead, self.per_head).permute(1, 2, 0, 3)

        q, k, v = shape(self.q_lin(x)), shape(self.k_lin(x)), shape(self.v_lin(x))
        w = F.softmax(q @ k.transpose(2, 3) / self.per_head, dim=-1)
        context = (w @ v).permute(2, 0, 1, 3).reshape(time, batch, -1)
        return self.out_lin(context), w
