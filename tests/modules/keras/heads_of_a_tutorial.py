import keras
from keras import layers, ops


class MultiHeadSelfAttention(layers.Layer):
    def __init__(self, embed_dim, num_heads=8, **kwargs):
        super().__init__(**kwargs)
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.projection_dim = embed_dim // num_heads
        self.query_dense = layers.Dense(embed_dim)
        self.key_dense = layers.Dense(embed_dim)
        self.value_dense = layers.Dense(embed_dim)
        self.combine_heads = layers.Dense(embed_dim)
        self.dropout = layers.Dropout(0.1)

    def separate_heads(self, x, batch_size):
        x = ops.reshape(x, (batch_size, -1, self.num_heads, self.projection_dim))
        return ops.transpose(x, (0, 2, 1, 3))

    def call(self, inputs, mask=None, training=None):
        b = ops.shape(inputs)[0]
        q = self.separate_heads(self.query_dense(inputs), b)
        k = self.separate_heads(self.key_dense(inputs), b)
        v = self.separate_heads(self.value_dense(inputs), b)
        score = ops.matmul(q, ops.transpose(k, (0, 1, 3, 2)))
        score = score / ops.sqrt(ops.cast(self.projection_dim, score.dtype))
        if mask is not None:
            score = ops.where(mask, score, -1e9)
        weights = self.dropout(ops.softmax(score, axis=-1), training=training)
        attention = ops.transpose(ops.matmul(weights, v), (0, 2, 1, 3))
        return self.combine_heads(ops.reshape(attention, (b, -1, self.embed_dim)))
