#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes attention_golden.txt: softmax and attention as numpy computes them.

    python3 reference/testdata/make_attention_golden.py \\
        > reference/testdata/attention_golden.txt

A case is a line `case NAME`, a comment with the call, and a line for each array:
its name, its rank, its sizes, its values in row-major order (masks as 0 and 1).
Heads and groups are computed one at a time here, without reshaping, so that the
numbers owe nothing to the way the reference arranges its axes.
"""

import numpy

SEED = 20260102


def softmax(scores):
    e = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def masked_softmax(scores, mask):
    """Rows without an allowed key are zeros."""
    mask = numpy.broadcast_to(mask, scores.shape)
    weights = numpy.zeros(scores.shape)
    for row in numpy.ndindex(scores.shape[:-1]):
        if mask[row].any():
            weights[row][mask[row]] = softmax(scores[row][mask[row]])
    return weights


def attention(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / numpy.sqrt(q.shape[-1])
    mask = numpy.ones(scores.shape, bool) if mask is None else mask
    weights = masked_softmax(scores, mask)
    return {"output": weights @ v, "weights": weights}


def self_attention(x, w_q, w_k, w_v, mask=None):
    return attention(x @ w_q, x @ w_k, x @ w_v, mask)


def multi_head(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    width = x.shape[-1] // n_heads
    heads = []
    for h in range(n_heads):
        own = slice(h * width, (h + 1) * width)
        heads.append(self_attention(x, w_q[:, own], w_k[:, own], w_v[:, own], mask))
    joined = numpy.concatenate([head["output"] for head in heads], axis=-1)
    weights = numpy.stack([head["weights"] for head in heads], axis=-3)
    return {"output": joined @ w_o, "weights": weights}


def grouped_query(q, k, v, mask=None):
    group = q.shape[-3] // k.shape[-3]
    heads = [
        attention(q[:, h], k[:, h // group], v[:, h // group], mask)
        for h in range(q.shape[-3])
    ]
    return {
        name: numpy.stack([head[name] for head in heads], axis=1)
        for name in ("output", "weights")
    }


def write(name, call, **arrays):
    print(f"case {name}\n# {call}")
    for key, array in arrays.items():
        values = [repr(value) for value in array.astype(float).ravel().tolist()]
        print(key, array.ndim, *array.shape, *(v.removesuffix(".0") for v in values))


def write_softmax(rng):
    scores = 3 * rng.standard_normal((2, 3, 5))
    mask = rng.random((3, 5)) < 0.6
    mask[1] = False
    write("softmax", "softmax(scores)", scores=scores, weights=softmax(scores))
    large = numpy.array([[1000.0, 999.0, -1000.0], [-2000.0, -2001.0, -2000.5]])
    write("softmax_large", "softmax(scores)", scores=large, weights=softmax(large))
    write(
        "softmax_masked",
        "masked_softmax(scores, mask), row 1 of the mask without a key",
        scores=scores,
        mask=mask,
        weights=masked_softmax(scores, mask),
    )


def write_attention(rng):
    def draw(leading, n, m, d_k, d_v):
        return {
            "q": rng.standard_normal((*leading, n, d_k)),
            "k": rng.standard_normal((*leading, m, d_k)),
            "v": rng.standard_normal((*leading, m, d_v)),
        }

    call = "attention(q, k, v)"
    plain = draw((), 3, 5, 4, 2)
    write("attention_plain", call, **plain, **attention(**plain))
    batch = draw((2,), 4, 3, 5, 6)
    write("attention_batch", call, **batch, **attention(**batch))
    heads = draw((2, 3), 2, 4, 3, 3)
    write("attention_heads", call, **heads, **attention(**heads))
    gain = draw((2,), 3, 4, 4, 2)
    gain["q"] *= 40
    write("attention_gain", call, **gain, **attention(**gain))

    call = "attention(q, k, v, mask)"
    mask = rng.random((2, 4, 3)) < 0.5
    mask[0, 2] = False
    mask[1, 0] = True
    write("attention_masked", call, **batch, mask=mask, **attention(**batch, mask=mask))
    padding = numpy.array([1, 1, 0, 1], bool).reshape(1, 1, 1, 4)
    write(
        "attention_padded", call, **heads, mask=padding, **attention(**heads, mask=padding)
    )
    causal = draw((2,), 4, 4, 3, 2)
    mask = numpy.tri(4, 4, dtype=bool)
    write(
        "attention_causal",
        "attention(q, k, v, numpy.tri(4, 4, dtype=bool))",
        **causal,
        **attention(**causal, mask=mask),
    )


def write_modules(rng):
    x = rng.standard_normal((2, 3, 6))
    own = {name: rng.standard_normal((6, 4)) for name in ("w_q", "w_k")}
    own["w_v"] = rng.standard_normal((6, 5))
    write("self_attention", "self_attention(x, w_q, w_k, w_v)", x=x, **own,
          **self_attention(x, **own))
    weights = {
        name: rng.standard_normal((6, 6)) / 2 for name in ("w_q", "w_k", "w_v", "w_o")
    }
    mask = numpy.tri(3, 3, dtype=bool)
    write("multi_head", "multi_head(x, w_q, w_k, w_v, w_o, n_heads=2)", x=x, **weights,
          **multi_head(x, **weights, n_heads=2))
    write("multi_head_causal",
          "multi_head(x, w_q, w_k, w_v, w_o, 3, numpy.tri(3, 3, dtype=bool))",
          x=x[0], **weights, **multi_head(x[0], **weights, n_heads=3, mask=mask))
    q = rng.standard_normal((2, 4, 3, 2))
    k = rng.standard_normal((2, 2, 3, 2))
    v = rng.standard_normal((2, 2, 3, 5))
    write("grouped_query", "grouped_query(q, k, v)", q=q, k=k, v=v,
          **grouped_query(q, k, v))
    write("grouped_query_causal",
          "grouped_query(q, k, v, numpy.tri(3, 3, dtype=bool))", q=q, k=k, v=v,
          **grouped_query(q, k, v, mask))


if __name__ == "__main__":
    print("# numpy", numpy.__version__, "- written by make_attention_golden.py")
    generator = numpy.random.default_rng(SEED)
    write_softmax(generator)
    write_attention(generator)
    write_modules(generator)
