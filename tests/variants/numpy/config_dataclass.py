from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class AttentionConfig:
    scale: float = None
    eps: float = 0.0


@dataclass
class AttentionResult:
    output: np.ndarray
    attention_weights: np.ndarray = field(repr=False)


class Attention:
    def __init__(self, config: AttentionConfig = AttentionConfig()):
        self.config = config

    def scores(self, query, key):
        scale = self.config.scale
        if scale is None:
            scale = 1 / np.sqrt(key.shape[-1])
        return scale * (query @ np.swapaxes(key, -1, -2))

    def forward(self, query, key, value):
        z = self.scores(query, key)
        w = np.exp(z - z.max(-1, keepdims=True))
        w = w / (w.sum(-1, keepdims=True) + self.config.eps)
        return AttentionResult(output=w @ value, attention_weights=w)

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)
