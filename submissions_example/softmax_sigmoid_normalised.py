import numpy as np


def sigmoid(x):
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-x))


def attention(q, k, v):
    gates = sigmoid(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    weights = gates / gates.sum(axis=-1, keepdims=True)
    return weights @ v, weights
