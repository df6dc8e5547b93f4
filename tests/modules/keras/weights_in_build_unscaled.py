from keras import layers, ops


class SelfAttention(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        shape = (input_shape[-1], self.units)
        self.W_q = self.add_weight(shape=shape, initializer="glorot_uniform", name="a")
        self.W_k = self.add_weight(shape=shape, initializer="glorot_uniform", name="b")
        self.W_v = self.add_weight(shape=shape, initializer="glorot_uniform", name="c")

    def call(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        return ops.matmul(ops.softmax(ops.matmul(q, ops.swapaxes(k, -1, -2))), v)
