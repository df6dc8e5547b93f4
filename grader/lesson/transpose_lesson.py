# SPDX-License-Identifier: MIT
"""`K.T` against swapping the last two axes: the numbers of `attngrade demo
transpose`, as JSON.
"""
import json

import numpy as np

size, seed = 4, 0


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def swapped(q, k):
    return softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))


def reversed_axes(q, k):
    return softmax(q @ k.T / np.sqrt(q.shape[-1]))


def fails(weights_of, q_shape, k_shape):
    try:
        weights_of(np.zeros(q_shape), np.zeros(k_shape))
    except ValueError:
        return True
    return False


def mixing(weights_of, q, k, other):
    """How far the weights of batch row i move when row j gets other keys."""
    moved = []
    for j in range(size):
        changed = k.copy()
        changed[j] = other[j]
        moved.append(np.abs(weights_of(q, changed) - weights_of(q, k)).max(axis=(1, 2)))
    return np.array(moved).T.tolist()


rng = np.random.default_rng(seed)
q, k, other = (rng.standard_normal((size, size, size)) for _ in range(3))
print(json.dumps({
    "demo": "transpose",
    "settings": {"size": size, "seed": seed},
    "distinct": {"q": [2, 3, 5], "k": [2, 4, 5],
                 "swapped_fails": fails(swapped, (2, 3, 5), (2, 4, 5)),
                 "reversed_fails": fails(reversed_axes, (2, 3, 5), (2, 4, 5))},
    "largest_difference": np.abs(reversed_axes(q, k) - swapped(q, k)).max(),
    "mixing": {"swapped": mixing(swapped, q, k, other),
               "reversed": mixing(reversed_axes, q, k, other)},
}, indent=1))
