import torch
from torch import nn
from torch.nn import functional as F


class Multi_Head_Attention(nn.Module):
    def __init__(self, model_dim, num_head, dropout=0.0):
        super(Multi_Head_Attention, self).__init__()
        self.num_head = num_head
        self.dim_head = model_dim // self.num_head
        self.fc_Q = nn.Linear(model_dim, num_head * self.dim_head)
        self.fc_K = nn.Linear(model_dim, num_head * self.dim_head)
        self.fc_V = nn.Linear(model_dim, num_head * self.dim_head)
        self.fc = nn.Linear(num_head * self.dim_head, model_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        B, N, _ = x.size()
        Q = self.fc_Q(x).view(B, N, self.num_head, self.dim_head).transpose(1, 2).reshape(-1, N, self.dim_head)
        K = self.fc_K(x).view(B, N, self.num_head, self.dim_head).transpose(1, 2).reshape(-1, N, self.dim_head)
        V = self.fc_V(x).view(B, N, self.num_head, self.dim_head).transpose(1, 2).reshape(-1, N, self.dim_head)
        attention = torch.baddbmm(torch.zeros(1, dtype=Q.dtype), Q, K.transpose(1, 2), alpha=self.dim_head ** -0.5)
        attention = F.softmax(attention, dim=-1)
        if mask is not None:
            # mask (B, N, N): 1 where attention is allowed; the heads lie inside of each sample
            attention = attention * mask.repeat_interleave(self.num_head, dim=0)
        context = torch.bmm(self.dropout(attention), V)
        context = context.view(B, self.num_head, N, self.dim_head).transpose(1, 2).reshape(B, N, -1)
        return self.fc(context)
