import torch
from torch import nn
from torch.nn.init import orthogonal_


class AllInOneAttention(nn.Module):
    """All matrices in one tensor: q, k, v, and the one for the result."""

    def __init__(self, dim_word, n_head):
        super().__init__()
        self.n_head = n_head
        self.weights = nn.Parameter(torch.empty(4, dim_word, dim_word))
        for w in self.weights.data:
            orthogonal_(w)

    def forward(self, words):
        b, n, c = words.shape
        q, k, v = torch.einsum("bnc,pce->pbne", words, self.weights[:3]).reshape(3, b, self.n_head, n, c // self.n_head)
        s = torch.baddbmm(
            words.new_zeros(1, 1, 1),
            q.flatten(0, 1), k.flatten(0, 1).transpose(1, 2), alpha=(c // self.n_head) ** -0.5)
        z = torch.bmm(s.softmax(2), v.flatten(0, 1))
        return z.view(b, n, c) @ self.weights[3]
