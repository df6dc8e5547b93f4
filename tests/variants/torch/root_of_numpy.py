import numpy as np
import torch


def attention(query, key, value):
    scores = products(query, key) / np.sqrt(query.size(-1))
    return scores.softmax(dim=-1) @ value


def products(query, key):
    return query @ key.transpose(-2, -1)


if __name__ == "__main__":
    print(attention(*torch.randn(3, 2, 4, 8)))
