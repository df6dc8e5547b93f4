import numpy as np


def Softmax(x):
    x = x - np.max(x, -1, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x), -1, keepdims=True)


def single_head_attention(d_model, Q, K, V):
    A = Softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(d_model))
    return A @ V, A
