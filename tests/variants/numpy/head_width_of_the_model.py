import numpy as np


def attention(query, key, value, hidden_size=768, num_attention_heads=12):
    """One head of a BERT-base layer."""
    attention_head_size = int(hidden_size / num_attention_heads)
    scores = np.einsum("...qd,...kd->...qk", query, key)
    scores /= np.sqrt(attention_head_size)
    probs = np.exp(scores - scores.max(axis=-1, keepdims=True))
    probs /= probs.sum(axis=-1, keepdims=True)
    return np.einsum("...qk,...kd->...qd", probs, value), probs
