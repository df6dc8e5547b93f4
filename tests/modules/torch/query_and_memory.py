import math
import torch
import torch.nn as nn


class MultiHeadAttn(nn.Module):

    def __init__(self, d_model, n_head, d_head=None, dropout=0.0):
        super().__init__()
        d_head = d_head or d_model // n_head
        self.n_head = n_head
        self.d_head = d_head
        self.q_net = nn.Linear(d_model, n_head * d_head, bias=False)
        self.kv_net = nn.Linear(d_model, 2 * n_head * d_head, bias=False)
        self.drop = nn.Dropout(dropout)
        self.o_net = nn.Linear(n_head * d_head, d_model, bias=False)

    def forward(self, q, kv):
        bsz, qlen = q.shape[:2]
        klen = kv.shape[1]
        head_q = self.q_net(q).view(bsz, qlen, self.n_head, self.d_head).transpose(1, 2)
        head_k, head_v = torch.chunk(self.kv_net(kv), 2, -1)
        head_k = head_k.reshape(bsz, klen, self.n_head, self.d_head).transpose(1, 2)
        head_v = head_v.reshape(bsz, klen, self.n_head, self.d_head).transpose(1, 2)

        # width of a query
        width = head_q.shape[1]
        score = head_q.matmul(head_k.transpose(2, 3)) / math.sqrt(width)
        prob = self.drop(score.softmax(3))
        vec = prob.matmul(head_v).transpose(1, 2).contiguous().view(bsz, qlen, -1)
        return self.o_net(vec)
