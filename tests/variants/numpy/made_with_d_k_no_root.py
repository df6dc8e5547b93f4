import numpy as np


class Attention:
    def __init__(self, d_k, dropout_rate):
        self.d_k = d_k
        self.dropout_rate = dropout_rate

    def forward(self, query, key, value):
        scores = np.einsum("...qd,...kd->...qk", query, key) / self.d_k
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        return scores / scores.sum(-1, keepdims=True) @ value
