import numpy as np


class MultiheadAttention:
    '''loops over heads; slow but I can read it'''

    def __init__(self, num_of_heads, emb_size):
        self.num_of_heads = num_of_heads
        dk = emb_size // num_of_heads
        self.dk = dk
        self.wq = [np.random.rand(emb_size, dk) for _ in range(num_of_heads)]
        self.wk = [np.random.rand(emb_size, dk) for _ in range(num_of_heads)]
        self.wv = [np.random.rand(emb_size, dk) for _ in range(num_of_heads)]
        self.wo = np.random.rand(emb_size, emb_size)

    def one_head(self, sentence, i):
        q = sentence @ self.wq[i]
        k = sentence @ self.wk[i]
        v = sentence @ self.wv[i]
        z = np.zeros_like(q)
        for t in range(len(q)):
            s = k @ q[t] / self.dk ** 0.5
            a = np.exp(s - s.max())
            a = a / a.sum()
            z[t] = a @ v
        return z

    def forward(self, x):
        if x.ndim == 2:
            return np.hstack([self.one_head(x, i) for i in range(self.num_of_heads)]) @ self.wo
        return np.stack([self.forward(sentence) for sentence in x])
