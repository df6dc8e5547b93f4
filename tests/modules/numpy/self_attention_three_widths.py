import numpy as np


class SelfAttention:
    def __init__(self, d_model: int, d_key: int, d_value: int, rng: np.random.Generator = np.random.default_rng(1)):
        self.w_query = rng.standard_normal((d_model, d_key)) / np.sqrt(d_model)
        self.w_key = rng.standard_normal((d_model, d_key)) / np.sqrt(d_model)
        self.w_value = rng.standard_normal((d_model, d_value)) / np.sqrt(d_model)

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scaled = (x @ self.w_query) / np.sqrt(self.w_query.shape[1])
        scores = scaled @ np.swapaxes(x @ self.w_key, -1, -2)
        shifted = scores - scores.max(axis=-1, keepdims=True)
        log_sum = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
        weights = np.exp(shifted - log_sum)
        return weights @ (x @ self.w_value), weights
