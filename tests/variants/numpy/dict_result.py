import numpy as np

SOFTMAX_AXIS = -1


def calculate_attention(query, key, value, verbose=False, dropout=0.0):
    d = query.shape[SOFTMAX_AXIS]
    similarity = np.matmul(query, np.swapaxes(key, -1, -2)) / d ** 0.5
    if verbose:
        print("similarity", similarity.shape)
    probabilities = np.exp(similarity - similarity.max(SOFTMAX_AXIS, keepdims=True))
    probabilities /= probabilities.sum(SOFTMAX_AXIS, keepdims=True)
    return {
        "context": np.matmul(probabilities, value),
        "attn_weights": probabilities,
        "scores": similarity,
    }
