import numpy as np


class SimpleSelfAttention:

    def __init__(self, embedding_dim, attention_dim):
        self.query_matrix = np.random.randn(embedding_dim, attention_dim)
        self.key_matrix = np.random.randn(embedding_dim, attention_dim)
        self.value_matrix = np.random.randn(embedding_dim, attention_dim)

    def __call__(self, tokens):
        query = tokens @ self.query_matrix
        key = tokens @ self.key_matrix
        value = tokens @ self.value_matrix
        relevance = np.exp(query @ np.moveaxis(key, -1, -2) / np.sqrt(key.shape[-1]))
        relevance = relevance / relevance.sum(axis=-1, keepdims=True)
        return relevance @ value
