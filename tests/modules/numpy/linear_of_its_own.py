import numpy as np


class Linear:
    def __init__(self, n_in, n_out):
        limit = np.sqrt(6 / (n_in + n_out))
        self.weight = np.random.uniform(-limit, limit, size=(n_in, n_out))
        self.bias = np.zeros(n_out)

    def __call__(self, x):
        return x @ self.weight + self.bias


class Softmax:
    def __call__(self, x, axis=-1):
        x = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return x / np.sum(x, axis=axis, keepdims=True)


class MultiHeadAttention:
    def __init__(self, embed_dim, heads_count):
        self.heads_count = heads_count
        self.head_dim = embed_dim // heads_count
        self.q_linear, self.k_linear = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.v_linear, self.out_linear = Linear(embed_dim, embed_dim), Linear(embed_dim, embed_dim)
        self.softmax = Softmax()

    def heads(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads_count, self.head_dim).transpose(0, 2, 1, 3)

    def __call__(self, query, key, value, mask=None):
        q, k, v = self.heads(self.q_linear(query)), self.heads(self.k_linear(key)), self.heads(self.v_linear(value))
        weights = self.softmax(np.einsum("bhid,bhjd->bhij", q, k) / self.head_dim ** 0.5)
        if mask is not None:
            weights = weights * mask          # (queries, keys), 1 where a query may look
        context = np.einsum("bhij,bhjd->bihd", weights, v)
        return self.out_linear(context.reshape(query.shape)), weights
