import torch
from torch import nn


class LoRALinear(nn.Linear):
    def __init__(self, n_in, n_out, rank, bias=False):
        super().__init__(n_in, n_out, bias=bias)
        self.lora_A = nn.Parameter(torch.randn(rank, n_in) * 0.01)
        self.lora_B = nn.Parameter(torch.zeros(n_out, rank))

    def forward(self, x):
        return super().forward(x) + x @ self.lora_A.t() @ self.lora_B.t()


class LoRAAttention(nn.Module):
    """Fine-tuning: queries and values carry an adapter."""

    def __init__(self, hidden_size, num_heads, rank=4):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = LoRALinear(hidden_size, hidden_size, rank)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.v_proj = LoRALinear(hidden_size, hidden_size, rank)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, hidden_states):
        B, N, C = hidden_states.shape
        view = (B, N, self.num_heads, C // self.num_heads)
        q = self.q_proj(hidden_states).view(view).transpose(1, 2)
        k = self.k_proj(hidden_states).view(view).transpose(1, 2)
        v = self.v_proj(hidden_states).view(view).transpose(1, 2)
        weights = (q @ k.mT).div((C // self.num_heads) ** 0.5).softmax(-1)
        attn_output = self.o_proj((weights @ v).transpose(1, 2).reshape(B, N, C))
        return attn_output, None  # no cache here
