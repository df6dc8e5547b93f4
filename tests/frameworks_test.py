"""torch, JAX and an older numpy, for real, where scripts/setup_frameworks has
installed them; what is skipped is printed."""

import unittest

from support import Scratch, by_file_and_task, framework_python, grade

TORCH_FUNCTION = """
import math
import torch

def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / {scale}
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
"""

TORCH_MODULE = """
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(1))
        self.dropout = nn.Dropout(0.5)

    def forward(self, query, key, value):
        scores = query @ key.mT * query.size(-1) ** -0.5 * self.gain
        self.attn = scores.softmax(-1)
        return self.dropout(self.attn) @ value
"""

TAKES_NUMPY = """
import torch

def attention(q, k, v):
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    return (torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v).numpy()
"""

ONLY_COMPARES = """
import numpy as np

def attention(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v

if __name__ == "__main__":
    import torch
    print(torch.nn.functional.scaled_dot_product_attention)
"""

JAX_FUNCTION = """
import jax
import jax.numpy as jnp

@jax.jit
def attention(q, k, v):
    scores = q @ jnp.swapaxes(k, -1, -2) / {scale}
    weights = jax.nn.softmax(scores, axis=-1)
    return weights @ v, weights
"""


def needs_environment(name):
    there = framework_python(name).exists()
    if not there:
        print("SKIPPED: no .venv-%s; scripts/setup_frameworks makes it" % name,
              flush=True)
    return unittest.skipIf(not there, "no .venv-" + name)


class Frameworks(Scratch, unittest.TestCase):
    def verdict(self, framework, source, *options, task="attention"):
        path = self.write("candidate.py", source)
        _, document = grade([path], "--python", framework_python(framework),
                            *options)
        record = by_file_and_task(document)[("candidate.py", task)]
        return record["verdict"], record["faults"], record["called_with"]

    @needs_environment("torch")
    def test_torch_functions_get_tensors_of_float32(self):
        right = TORCH_FUNCTION.format(scale="math.sqrt(q.size(-1))")
        for task in ("attention", "masked_attention"):
            self.assertEqual(self.verdict("torch", right, task=task),
                             ("correct", [], "torch tensors of float32"))
        wrong = TORCH_FUNCTION.format(scale="q.size(-1)")
        self.assertEqual(self.verdict("torch", wrong)[:2],
                         ("faulty", ["scale-by-dk"]))

    @needs_environment("torch")
    def test_other_types_are_passed_on_request(self):
        right = TORCH_FUNCTION.format(scale="math.sqrt(q.size(-1))")
        self.assertEqual(
            self.verdict("torch", right, "--dtype", "float64"),
            ("correct", [], "torch tensors of float64"))

    @needs_environment("torch")
    def test_modules_are_evaluated_without_dropout(self):
        self.assertEqual(self.verdict("torch", TORCH_MODULE)[0], "correct")

    @needs_environment("torch")
    def test_functions_that_take_numpy_arrays_get_them(self):
        for source in (TAKES_NUMPY, ONLY_COMPARES):
            self.assertEqual(self.verdict("torch", source),
                             ("correct", [], "numpy arrays of float64"))

    @needs_environment("jax")
    def test_jax_functions_get_arrays_of_float32(self):
        right = JAX_FUNCTION.format(scale="jnp.sqrt(q.shape[-1])")
        self.assertEqual(self.verdict("jax", right),
                         ("correct", [], "jax tensors of float32"))
        self.assertEqual(self.verdict("jax", right, "--dtype", "float64"),
                         ("correct", [], "jax tensors of float64"))
        wrong = JAX_FUNCTION.format(scale="q.shape[-1]")
        self.assertEqual(self.verdict("jax", wrong)[:2],
                         ("faulty", ["scale-by-dk"]))

    @needs_environment("numpy1")
    def test_an_older_numpy_gives_the_same_verdicts(self):
        self.assertEqual(self.verdict("numpy1", ONLY_COMPARES)[0], "correct")


if __name__ == "__main__":
    unittest.main()
