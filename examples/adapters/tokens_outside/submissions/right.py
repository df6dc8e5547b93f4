import numpy as np


def attend(batch):
    q, k, v = batch["queries"], batch["keys"], batch["values"]
    logits = np.einsum("nbhd,mbhd->nmbh", q, k) / np.sqrt(q.shape[-1])
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return {"logits": logits,
            "mixed": np.einsum("nmbh,mbhd->nbhd", weights, v)}
