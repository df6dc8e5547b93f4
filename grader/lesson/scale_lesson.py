# SPDX-License-Identifier: MIT
"""What dividing by sqrt(d_k) is for: the numbers of `attngrade demo`, as JSON.

Queries and keys are standard normal. Every figure is a mean over the draws with
its standard error; a figure of one draw is the mean over its rows.
"""
import json

import numpy as np

d_k, n, draws, seed = 64, 16, 200, 0


def scores_of(width):
    rng = np.random.default_rng((seed + width) % 2**64)
    q = rng.standard_normal((draws, n, width))
    k = rng.standard_normal((draws, n, width))
    return q @ np.swapaxes(k, -1, -2)


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def estimate(per_draw):
    return {"mean": per_draw.mean(), "error": per_draw.std(ddof=1) / np.sqrt(draws)}


def variance(scores):
    return estimate((scores ** 2).mean(axis=(1, 2)))  # their mean is known: 0


def deviation(scores):
    v = variance(scores)
    return {"mean": np.sqrt(v["mean"]), "error": v["error"] / (2 * np.sqrt(v["mean"]))}


def figures(scores):
    w = softmax(scores)
    entropy = -(w * np.log(np.where(w > 0, w, 1))).sum(axis=-1)
    # How each weight of a row answers to each score: diag(w) - w w^T
    jacobian = w[..., None] * (np.eye(n) - w[..., None, :])
    others = np.where(np.eye(n), 0, np.abs(jacobian)).max(axis=(-1, -2))
    return {"smallest": scores.min(), "largest": scores.max(),
            "deviation": deviation(scores),
            "row_largest_weight": w[0, 0].max(),
            "largest_weight": estimate(w.max(axis=-1).mean(axis=-1)),
            "entropy": estimate(entropy.mean(axis=-1)),
            "effective_keys": estimate(np.exp(entropy).mean(axis=-1)),
            "jacobian": estimate(np.sqrt((jacobian ** 2).sum(axis=(-1, -2))).mean(axis=-1)),
            "dead_rows": estimate((others < 1e-3).mean(axis=-1))}


def in_float16(scores):
    half = scores.astype(np.float16).astype(np.float64)
    return {"score_error": estimate(np.abs(half - scores).max(axis=(1, 2))),
            "weight_error": estimate(np.abs(softmax(half) - softmax(scores)).max(axis=(1, 2)))}


def slope(variances):
    """Of log variance by log width, each weighted by its error."""
    x = np.log(widths)
    y = np.log([v["mean"] for v in variances])
    weight = np.array([(v["mean"] / v["error"]) ** 2 for v in variances])
    x = x - (weight * x).sum() / weight.sum()
    return {"mean": (weight * x * y).sum() / (weight * x ** 2).sum(),
            "error": 1 / np.sqrt((weight * x ** 2).sum())}


scales = {"none": 1.0, "1/sqrt(d_k)": 1 / np.sqrt(d_k), "1/d_k": 1 / d_k}
raw = scores_of(d_k)
widths = [2 ** i for i in range(11)]
by_width = []
for width in widths:
    scores = scores_of(width)
    scaled = scores * (1 / np.sqrt(width))
    by_width.append({"d_k": width,
                     "variance": variance(scores), "scaled_variance": variance(scaled),
                     "raw": figures(scores), "scaled": figures(scaled)})
print(json.dumps({
    "demo": "scale",
    "settings": {"d_k": d_k, "n": n, "draws": draws, "seed": seed},
    "log_n": np.log(n),
    "scales": [{"name": name, "factor": factor, "figures": figures(raw * factor),
                "float16": in_float16(raw * factor)}
               for name, factor in scales.items()],
    "widths": by_width,
    "slope": {"raw": slope([one["variance"] for one in by_width]),
              "scaled": slope([one["scaled_variance"] for one in by_width])},
}, indent=1))
