"""Scaled dot-product attention, step by step as a textbook has it."""

import numpy as np


def softmax(x, axis=-1):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """
    Q: (..., n, d_k)   K: (..., m, d_k)   V: (..., m, d_v)
    mask: True where a query may look at a key
    Returns the output (..., n, d_v) and the weights (..., n, m).
    """
    d_k = Q.shape[-1]
    # Step 1: how well does each query fit each key?
    scores = np.matmul(Q, np.swapaxes(K, -2, -1))
    # Step 2: keep the variance at one
    scaled_scores = scores / np.sqrt(d_k)
    # Step 3: hide what must not be seen
    if mask is not None:
        scaled_scores = np.where(mask, scaled_scores, -np.inf)
    # Step 4: a distribution over the keys for each query
    attention_weights = softmax(scaled_scores)
    # Step 5: mix the values
    output = np.matmul(attention_weights, V)
    return output, attention_weights


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    out, w = scaled_dot_product_attention(*rng.normal(size=(3, 4, 8)))
    print(out.shape, w.sum(axis=-1))
