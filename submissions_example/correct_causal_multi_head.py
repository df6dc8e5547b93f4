import numpy as np


def causal_multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads):
    if x.ndim == 2:
        return causal_multi_head_attention(x[None], w_q, w_k, w_v, w_o, num_heads)[0]
    batch, length, width = x.shape
    head_dim = width // num_heads
    contexts = []
    for h in range(num_heads):
        columns = slice(h * head_dim, (h + 1) * head_dim)
        q = x @ w_q[:, columns]
        k = x @ w_k[:, columns]
        v = x @ w_v[:, columns]
        scores = np.einsum("bid,bjd->bij", q, k) / np.sqrt(head_dim)
        scores = np.where(np.tri(length, dtype=bool), scores, -1e30)
        scores = scores - scores.max(axis=2, keepdims=True)
        probs = np.exp(scores) / np.exp(scores).sum(axis=2, keepdims=True)
        contexts.append(probs @ v)
    return np.concatenate(contexts, axis=2) @ w_o
