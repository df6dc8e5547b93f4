import numpy as np

class SelfAttentionLayer:
    # forward pass only

    def __init__(self, hidden_dim, n_head):
        self.h = n_head
        self.dh = hidden_dim // n_head
        s = 1.0 / np.sqrt(hidden_dim)
        self.params = {}
        for name in ("Wq", "Wk", "Wv", "Wo"):
            self.params[name] = s * np.random.randn(hidden_dim, hidden_dim)
        for name in ("bq", "bk", "bv", "bo"):
            self.params[name] = np.zeros(hidden_dim)

    def forward(self, x):
        p = self.params
        B, N, C = x.shape
        q = (x @ p["Wq"] + p["bq"]).reshape(B, N, self.h, self.dh).transpose(0, 2, 1, 3)
        k = (x @ p["Wk"] + p["bk"]).reshape(B, N, self.h, self.dh).transpose(0, 2, 3, 1)
        v = (x @ p["Wv"] + p["bv"]).reshape(B, N, self.h, self.dh).transpose(0, 2, 1, 3)
        scores = np.matmul(q, k) / self.dh
        scores -= scores.max(-1, keepdims=True)
        e = np.exp(scores)
        attn = e / e.sum(-1, keepdims=True)
        out = np.matmul(attn, v).transpose(0, 2, 1, 3).reshape(B, N, C)
        return out @ p["Wo"] + p["bo"]
