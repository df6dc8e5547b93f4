"""Answers of the right shape that are no attention pass no task."""

import itertools
import unittest

from support import Scratch, grade

# Kind: (arguments, output shape, value rows of the output's width).
KINDS = {
    "attention": (
        "q, k, v",
        "q.shape[:-1] + v.shape[-1:]",
        "v",
    ),
    "self_attention": (
        "x, w_q, w_k, w_v",
        "x.shape[:-1] + w_v.shape[-1:]",
        "x @ w_v",
    ),
    "multi_head_attention": (
        "x, w_q, w_k, w_v, w_o, n_heads",
        "x.shape",
        "x @ w_v @ w_o",
    ),
    "grouped_query_attention": (
        "q, k, v",
        "q.shape[:-1] + v.shape[-1:]",
        "np.repeat(v, q.shape[1] // k.shape[1], axis=1)",
    ),
}
WEIGHTS_SHAPE = {
    "attention": "(*q.shape[:-1], k.shape[-2])",
    "self_attention": "(*x.shape[:-1], x.shape[-2])",
    "multi_head_attention": "(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-2])",
    "grouped_query_attention": "(*q.shape[:-1], k.shape[-2])",
}
MASK_MODES = ("", "masked_", "causal_")

# {shape}, {values}, {weights_shape} and {first} (first argument) are filled in.
ANSWERS = {
    "zeros": "np.zeros({shape})",
    "zeros_with_weights": "(np.zeros({shape}), np.zeros({weights_shape}))",
    "mean_of_values":
        "np.broadcast_to(({values}).mean(-2, keepdims=True), {shape}).copy()",
    "mean_with_uniform_weights":
        "(np.broadcast_to(({values}).mean(-2, keepdims=True), {shape}).copy(),"
        " np.full({weights_shape}, 1 / {weights_shape}[-1]))",
    "first_value":
        "np.broadcast_to(({values})[..., :1, :], {shape}).copy()",
    "first_value_with_one_hot_weights":
        "(np.broadcast_to(({values})[..., :1, :], {shape}).copy(),"
        " np.eye({weights_shape}[-1])[np.zeros({weights_shape}[:-1], int)])",
    "constant": "np.full({shape}, 0.5)",
    "nan": "np.full({shape}, np.nan)",
    "nan_with_weights":
        "(np.full({shape}, np.nan), np.full({weights_shape}, np.nan))",
    "random": "np.random.default_rng().standard_normal({shape})",
    "random_with_weights":
        "(np.random.default_rng().standard_normal({shape}),"
        " np.random.default_rng().dirichlet(np.ones({weights_shape}[-1]),"
        " {weights_shape}[:-1]))",
    "its_first_argument": "{first}",
    "its_values": "{values}",
    "nothing": "None",
}

# grader_diagnosis_test plays these on every task: here in one mask mode a kind.
PLAYED = ("zeros", "constant", "nan", "random", "its_first_argument")


def mask_modes(name):
    return ("masked_",) if name in PLAYED else MASK_MODES


def python_source(answer, modes):
    lines = ["import numpy as np"]
    for (kind, form), mode in itertools.product(KINDS.items(), modes):
        arguments, shape, values = form
        body = answer.format(
            shape=f"({shape})",
            values=values,
            weights_shape=WEIGHTS_SHAPE[kind],
            first=arguments.split(",")[0],
        )
        if mode == "masked_":
            arguments += ", mask"
        lines += ["", f"def {mode}{kind}({arguments}):", f"    return {body}"]
    return "\n".join(lines) + "\n"


C_SOURCE = """
#include <attngrade.h>

int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights) {
  return 0;
}
int masked_attention(const double *q, const double *k, const double *v,
                     const uint8_t *mask, attention_shape shape,
                     double *output, double *weights) {
  return 0;
}
int causal_attention(const double *q, const double *k, const double *v,
                     attention_shape shape, double *output, double *weights) {
  return 0;
}
int multi_head_attention(const double *x, const double *w_q, const double *w_k,
                         const double *w_v, const double *w_o,
                         multi_head_shape shape, double *output,
                         double *weights) {
  return 0;
}
int grouped_query_attention(const double *q, const double *k, const double *v,
                            attention_shape shape, int64_t kv_heads,
                            double *output, double *weights) {
  return 0;
}
"""


def acceptable(record):
    """The fault sets that are true of an answer that is no attempt."""
    name, task = record["file"], record["task"]
    if name.startswith("mean_"):
        return [record["faults"]]
    if name.startswith("nan") and task.startswith(("masked_", "causal_")):
        return [[], ["mask-nan"]]  # all that can be seen of 0 times infinity
    if name.startswith("random"):
        return [[], ["nondeterministic"]]
    return [[]]


class WrongAnswers(Scratch, unittest.TestCase):
    def test_pass_no_task(self):
        for name, answer in ANSWERS.items():
            self.write(f"{name}.py", python_source(answer, mask_modes(name)))
        self.write("writes_nothing.c", C_SOURCE)
        status, document = grade([self.folder])
        self.assertEqual(status, 1)

        seen = set()
        for record in document["submissions"]:
            seen.add((record["file"], record["task"]))
            with self.subTest(file=record["file"], task=record["task"]):
                self.assertNotIn(record["verdict"], ("correct", "not-graded"))
                self.assertIn(record["faults"], acceptable(record))
        graded = [kind for kind in KINDS if kind != "self_attention"]
        for name, kind in itertools.product(ANSWERS, graded):
            for mode in mask_modes(name):
                self.assertIn((f"{name}.py", mode + kind), seen)
        self.assertEqual(len([f for f, _ in seen if f == "writes_nothing.c"]), 5)


if __name__ == "__main__":
    unittest.main()
