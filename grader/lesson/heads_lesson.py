# SPDX-License-Identifier: MIT
"""Which width to divide by where there are heads: the numbers of `attngrade demo
heads`, as JSON.
"""
import json

import numpy as np

d_model, heads, n, draws, seed = 512, 8, 16, 200, 0


def scores_of(heads):
    rng = np.random.default_rng(seed)
    q = rng.standard_normal((draws, n, d_model))
    k = rng.standard_normal((draws, n, d_model))
    q, k = (np.swapaxes(x.reshape(draws, n, heads, d_model // heads), 1, 2)
            for x in (q, k))
    return q @ np.swapaxes(k, -1, -2)


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def estimate(per_draw):
    return {"mean": per_draw.mean(), "error": per_draw.std(ddof=1) / np.sqrt(draws)}


def figures(scores):
    w = softmax(scores)
    entropy = -(w * np.log(np.where(w > 0, w, 1))).sum(axis=-1)
    variance = estimate((scores ** 2).mean(axis=(1, 2, 3)))
    deviation = np.sqrt(variance["mean"])
    return {"deviation": {"mean": deviation, "error": variance["error"] / (2 * deviation)},
            "largest_weight": estimate(w.max(axis=-1).mean(axis=(1, 2))),
            "effective_keys": estimate(np.exp(entropy).mean(axis=(1, 2)))}


d_k = d_model // heads
scores = scores_of(heads)
by_heads, count = [], 1
while d_model % count == 0:
    by_heads.append({"heads": count,
                     "deviation": figures(scores_of(count) * (1 / np.sqrt(d_model)))["deviation"]})
    count *= 2
print(json.dumps({
    "demo": "heads",
    "settings": {"d_model": d_model, "heads": heads, "n": n, "draws": draws, "seed": seed},
    "scales": [{"name": name, "factor": factor, "figures": figures(scores * factor)}
               for name, factor in (("1/sqrt(d_model)", 1 / np.sqrt(d_model)),
                                    ("1/sqrt(d_k)", 1 / np.sqrt(d_k)),
                                    ("1/d_k", 1 / d_k))],
    "by_heads": by_heads,
}, indent=1))
