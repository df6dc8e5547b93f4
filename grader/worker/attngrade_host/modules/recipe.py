# SPDX-License-Identifier: MIT
"""A class as a function of weights: made anew, filled and called for each call."""

import sys

from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.flax import Nursery, is_linen
from attngrade_host.modules.forward import (target_of, to_evaluation,
                                            without_gradients)
from attngrade_host.modules.keras import built, is_keras_layer
from attngrade_host.modules.leaves import is_jax_array, leaves_of
from attngrade_host.modules.sizes import Sizes
from attngrade_host.modules.writing import Writer, replace_norms

LONG = 64  # positions: more than any case has


def words(text):
    """{"order": "kqv"} of "order=kqv layout=batch-first" """
    return dict(word.split("=", 1) for word in text.split())


def sizes_of_request(request, has_heads):
    number = {name: int(request[name]) for name in (
        "d_model", "heads", "d_k", "d_v", "n", "batch")}
    return Sizes(number["d_model"], number["heads"] if has_heads else 1,
                 number["d_k"], number["d_v"], number["n"], number["batch"],
                 max(LONG, number["n"]))


def has_lazy_layers(made):
    """Whose widths are those of their first input."""
    return is_torch_module(made) and any(
        callable(getattr(layer, "has_uninitialized_params", None))
        and layer.has_uninitialized_params() for layer in made.modules())


class Keeper:
    """The object of the last call, for one that asks for it again, with what it
    remembers. Other sizes or weights get a new one all the same, and so does
    what follows a call that failed."""

    def __init__(self):
        self.kept = None
        self.lent = None

    def get(self, wants_same, key, weights, make):
        """key: whatever the object depends on beside its weights, {role: array};
        make: of the weights, a new one"""
        kept, self.kept, self.lent = self.kept, None, None
        if (wants_same and kept is not None and kept[0] == key
                and same_arrays(kept[1], weights)):
            self.lent = kept
        else:
            self.lent = (key, weights, make(weights))
        return self.lent[2]

    def keep(self):
        """The call did not fail."""
        self.kept, self.lent = self.lent, None


def same_arrays(first, second):
    return first.keys() == second.keys() and all(
        numpy.array_equal(first[role], second[role]) for role in first)


class Recipe:
    """What the study of a class found: a plan for its constructor, the call,
    rules for its parameters."""

    def __init__(self, builder, plan, call, has_heads, framework):
        self.framework = framework
        self.builder = builder
        self.plan = plan
        self.call = call
        self.nursery = Nursery(call)
        self.has_heads = has_heads
        self.keeper = Keeper()
        self.rules = {}
        self.skips_norms = False  # those of the input and of the output
        self.is_built_by_call = False  # the first one makes its matrices
        self.is_sublayer = False  # the input is added, which is taken out
        self.beside = None  # see weights_beside.py

    def make(self, sizes, wants_causal):
        made, _ = self.builder.make(self.plan, sizes, wants_causal)
        if is_keras_layer(made):
            return built(made, self.call, sizes, wants_causal)
        made = to_evaluation(made)
        if is_linen(made):
            made = self.nursery.grow(made, sizes, wants_causal)
        if self.is_built_by_call or has_lazy_layers(made):
            self.run(made, self.zeros(sizes), None, wants_causal, sizes)
        if self.skips_norms:
            replace_norms(made, sizes.C)
        return made

    def zeros(self, sizes):
        array = numpy.zeros((sizes.batch or 1, sizes.n, sizes.C))
        torch = sys.modules.get("torch")
        if torch is None or self.framework != "torch":
            return array
        return torch.from_numpy(array).to(torch.get_default_dtype())

    def write(self, made, weights, sizes, reading):
        if not self.has_heads and "o" not in weights:
            weights = dict(weights, o=numpy.eye(sizes.C))
        Writer(self.rules, self.has_heads, sizes, reading).write(made, weights)

    def run(self, made, x, mask, wants_causal, sizes):
        positional, named = self.call.arguments(x, mask, wants_causal, sizes)
        with without_gradients():
            return target_of(made, self.call.method)(*positional, **named)


def cast(made, dtype):
    """Of torch and JAX: its parameters of the type of x. dtype: a name"""
    if is_torch_module(made):
        wanted = getattr(sys.modules["torch"], dtype)
        if any(value.dtype != wanted for value in made.parameters()):
            made.to(wanted)
        return
    for leaf in leaves_of(made):
        if is_jax_array(leaf.value) and str(leaf.value.dtype) != dtype:
            leaf.replace(leaf.value.astype(dtype))
