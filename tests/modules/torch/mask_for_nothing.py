import torch, math
import torch.nn as nn
import torch.nn.functional as F


class SelfAttentionLayer(nn.Module):
    def __init__(self, n_feat, n_head):
        super().__init__()
        self.n_head = n_head
        self.d_k = n_feat // n_head
        self.linear_q = nn.Linear(n_feat, n_feat)
        self.linear_k = nn.Linear(n_feat, n_feat)
        self.linear_v = nn.Linear(n_feat, n_feat)
        self.linear_out = nn.Linear(n_feat, n_feat)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q = self.linear_q(x).view(B, T, self.n_head, self.d_k).transpose(1, 2)
        k = self.linear_k(x).view(B, T, self.n_head, self.d_k).transpose(1, 2)
        v = self.linear_v(x).view(B, T, self.n_head, self.d_k).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            mask = mask.unsqueeze(1).eq(0)
            scores.masked_fill(mask, -float('inf'))
        attn = F.softmax(scores, dim=-1)
        y = torch.matmul(attn, v).transpose(1, 2).contiguous().view(B, T, D)
        return self.linear_out(y)
