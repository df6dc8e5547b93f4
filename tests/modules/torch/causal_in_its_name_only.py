import torch
import torch.nn as nn


class CausalMultiHeadAttention(nn.Module):
    """Causal attention with `nhead` heads, as in the decoder."""

    def __init__(self, dim_in, dim_out, nhead):
        super().__init__()
        self.nhead = nhead
        self.head_dim = dim_out // nhead
        self.linear_q = nn.Linear(dim_in, dim_out)
        self.linear_k = nn.Linear(dim_in, dim_out)
        self.linear_v = nn.Linear(dim_in, dim_out)
        self.final_linear = nn.Linear(dim_out, dim_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        bs, length, _ = x.shape
        q, k, v = [
            layer(x).reshape(bs, length, self.nhead, self.head_dim).transpose(1, 2)
            for layer in (self.linear_q, self.linear_k, self.linear_v)
        ]
        similarity = torch.matmul(q, k.transpose(-1, -2))
        similarity /= self.head_dim ** 0.5
        attention = similarity.softmax(-1)
        heads = torch.matmul(attention, v)
        return self.final_linear(heads.transpose(1, 2).flatten(2))
