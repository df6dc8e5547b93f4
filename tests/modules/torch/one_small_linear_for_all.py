import torch, torch.nn as nn

class SelfAttention(nn.Module):
    """ multi head self attention, the projections work on one head's slice """
    def __init__(self, embedding_dim, num_of_heads):
        super().__init__()
        self.num_of_heads = num_of_heads
        self.head_dim = embedding_dim // num_of_heads
        # every head is head_dim wide, so are the matrices
        self.to_queries = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.to_keys    = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.to_values  = nn.Linear(self.head_dim, self.head_dim, bias=False)
        self.unifyheads = nn.Linear(num_of_heads * self.head_dim, embedding_dim)

    def forward(self, x):
        b, t, e = x.size()
        x = x.view(b, t, self.num_of_heads, self.head_dim)
        queries = self.to_queries(x)
        keys    = self.to_keys(x)
        values  = self.to_values(x)

        dot = torch.einsum('bihs,bjhs->bhij', queries, keys)
        dot = torch.softmax(dot * self.head_dim ** -0.5, dim=-1)
        out = torch.einsum('bhij,bjhs->bihs', dot, values)
        return self.unifyheads(out.reshape(b, t, e))
