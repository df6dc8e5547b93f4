import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    "Returns the mixed values and the weights."
    depth = query.size(-1)
    logits = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(depth)
    if mask is not None:
        logits = logits.masked_fill(mask == 0, -1e9)
    weights = F.softmax(logits, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights


def demo():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 16)
    mask = torch.ones(5, 5).tril()
    out, attn = scaled_dot_product_attention(x, x, x, mask)
    print(out.shape, attn[0])


if __name__ == "__main__":
    demo()
