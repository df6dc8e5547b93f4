import math

import numpy as np

EMBEDDING = 512
HEADS = 8


def scaled_dot_product_attention(Q, K, V, d_k=EMBEDDING // HEADS):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / math.sqrt(d_k)
    scores -= scores.max(axis=-1, keepdims=True)
    numerator = np.exp(scores)
    probabilities = numerator / numerator.sum(axis=-1, keepdims=True)
    return np.matmul(probabilities, V), probabilities
