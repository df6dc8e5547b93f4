# SPDX-License-Identifier: MIT
"""What training makes of three scales: the numbers of `attngrade demo training`, as
JSON.

One head learns to look up: query i is to attend to key i, by plain gradient descent
on W_q and W_k. Sums are made one term after the other (cumsum), and exp is libm's:
without a scale training is chaotic, and a last digit would grow into another run.
"""
import json
import math

import numpy as np

d_k, n, d_model, d_v, steps, seeds, seed = 64, 16, 16, 8, 300, 10, 0
rates = [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
enough = 0.25  # of the loss; 1 is that of equal weights, nearly
every = 10  # steps


def total(values, axis=None):
    return np.take(np.cumsum(values, axis=axis), -1, axis=axis or 0)


def matmul(a, b):
    return total(a[:, :, None] * b[None, :, :], axis=1)


def exp(x):
    return np.array([math.exp(one) for one in x.ravel()]).reshape(x.shape)


def softmax(scores):
    e = exp(scores - scores.max(axis=1, keepdims=True))
    return e / total(e, axis=1)[:, None]


def train(factor, value_factor, rate, number):
    """(losses, norms of the gradient, shares of rows): before each step and after
    all; at the end, of rows whose largest weight is a wrong key's, and of dead ones,
    in which no weight answers to another key's score by more than 0.001."""
    rng = np.random.default_rng(number % 2**64)
    y, x = rng.standard_normal((n, d_model)), rng.standard_normal((n, d_model))
    v = rng.standard_normal((n, d_v)) * value_factor
    w_q = rng.standard_normal((d_model, d_k)) * (1 / math.sqrt(d_model))
    w_k = rng.standard_normal((d_model, d_k)) * (1 / math.sqrt(d_model))
    losses, norms = [], []
    for _ in range(steps + 1):
        q, k = matmul(y, w_q), matmul(x, w_k)
        w = softmax(matmul(q, k.T) * factor)
        error = matmul(w, v) - v
        losses.append(total((error * error).ravel()) / error.size)
        d_w = matmul(error * (2 / error.size), v.T)
        d_scores = w * (d_w - total(w * d_w, axis=1)[:, None]) * factor
        d_w_q = matmul(y.T, matmul(d_scores, k))
        d_w_k = matmul(x.T, matmul(d_scores.T, q))
        norms.append(math.sqrt(total((d_w_q * d_w_q).ravel())
                               + total((d_w_k * d_w_k).ravel())))
        w_q, w_k = w_q - d_w_q * rate, w_k - d_w_k * rate
    wrong = (w.argmax(axis=1) != np.arange(n)).mean()
    first, second = np.sort(w, axis=1)[:, :-3:-1].T
    dead = (first * second < 1e-3).mean()
    return np.array(losses) / (value_factor * value_factor), np.array(norms), wrong, dead


def spread(values):
    """Over the seeds, which are the first axis."""
    return {"mean": values.mean(axis=0).tolist(),
            "deviation": values.std(axis=0, ddof=1).tolist()}


def steps_to(losses):
    reached = np.nonzero(losses <= enough)[0]
    return int(reached[0]) if reached.size else None


def outcome(name, factor, value_factor, rate_factor):
    by_rate, curves = [], []
    for rate in rates:
        runs = [train(factor, value_factor, rate * rate_factor, seed + i)
                for i in range(seeds)]
        losses = np.array([run[0] for run in runs])
        norms = np.array([run[1] for run in runs])
        by_rate.append({"rate": rate, "final": losses[:, -1].tolist(),
                        "steps": [steps_to(one) for one in losses],
                        "wrong": [run[2] for run in runs],
                        "dead": [run[3] for run in runs]})
        curves.append({"loss": spread(losses[:, ::every]),
                       "gradient": spread(norms[:, ::every])})
    best = int(np.argmin([np.mean(one["final"]) for one in by_rate]))
    return {"name": name, "factor": factor, "value_factor": value_factor,
            "rate_factor": rate_factor, "by_rate": by_rate,
            "best_rate": rates[best], "curve": curves[best]}


root = 1 / math.sqrt(d_k)
print(json.dumps({
    "demo": "training",
    "settings": {"d_k": d_k, "n": n, "d_model": d_model, "d_v": d_v, "steps": steps,
                 "seeds": seeds, "seed": seed},
    "enough": enough,
    "scales": [outcome("none", 1.0, 1.0, 1.0),
               outcome("1/sqrt(d_k)", root, 1.0, 1.0),
               outcome("1/d_k", 1 / d_k, 1.0, 1.0),
               outcome("values instead", 1.0, root, float(d_k))],
}, indent=1))
