# SPDX-License-Identifier: MIT
"""One call of a class that builds its own projections."""

from attngrade_host.libraries import numpy
from attngrade_host.modules.keras import set_precision
from attngrade_host.modules.leaves import is_torch_tensor
from attngrade_host.modules.recipe import cast, sizes_of_request, words
from attngrade_host.modules.weights_beside import give_output
from attngrade_host.results import split_results
from attngrade_host.tensors import Tensors, is_array, to_numpy

WEIGHTS = {"w_q": "q", "w_k": "k", "w_v": "v", "w_o": "o"}


class MaskMaker:
    """mask_form: bool, int, additive or lengths; mask_convention: keep, hide."""

    def __init__(self, tensors, reading):
        self.tensors = tensors
        self.form = reading.get("mask_form", "bool")
        self.hides = reading.get("mask_convention", "keep") == "hide"

    def make(self, mask):
        """mask: numpy, True = may attend"""
        if self.form == "lengths":
            return self.tensors.make(mask.sum(axis=-1).astype(numpy.int64))
        if self.form == "additive":
            return self.tensors.make(numpy.where(mask, 0.0, -numpy.inf))
        shown = ~mask if self.hides else mask
        if self.form == "int":
            shown = shown.astype(numpy.int64)
        return self.tensors.make(shown)


def exchange_first_axes(value):
    """(B, n, C) <-> (n, B, C)"""
    if is_torch_tensor(value):
        return value.transpose(0, 1)
    return value.swapaxes(0, 1)


def ready(recipe, request, weights, sizes, reading):
    """A new object that computes with the weights."""
    made = recipe.make(sizes, request["mask_mode"] == "causal")
    cast(made, request["dtype"])
    recipe.write(made, weights, sizes, reading)
    return made


def call_module(recipe, request, arrays):
    """One call: (what came back, a function of it that gives named results, x
    as it was passed, its numbers before)"""
    reading = words(request["reading"])
    tensors = Tensors(request["framework"], request["dtype"])
    set_precision(request["dtype"])
    sizes = sizes_of_request(request, recipe.has_heads)
    wants_causal = request["mask_mode"] == "causal"
    made = recipe.keeper.get(
        request["same_object"] == "1", (sizes, wants_causal, request["dtype"], reading),
        {role: arrays[name] for name, role in WEIGHTS.items()
         if name in arrays},
        lambda weights: ready(recipe, request, weights, sizes, reading))
    x = tensors.make(arrays["x"])
    is_swapped = (reading.get("layout") == "sequence-first"
                  and len(x.shape) == 3)
    if is_swapped:
        x = exchange_first_axes(x)
    original = to_numpy(x)[0].copy()
    mask = None
    if "mask" in arrays:
        shown = arrays["mask"]
        if reading.get("mask_layout") == "batch-last" and shown.ndim == 3:
            shown = shown.transpose(1, 2, 0)  # (B, n, m) as (n, m, B)
        mask = MaskMaker(tensors, reading).make(shown)
    watch = recipe.beside.watch(made) if recipe.beside else None
    try:
        value = recipe.run(made, x, mask, wants_causal, sizes)
        left = watch.weights() if watch else None
    finally:
        if watch:
            watch.end()
    recipe.keeper.keep()

    def split(value):
        parts = [(name, as_function(part, recipe, x, is_swapped))
                 for name, part in split_results(value, int(request["rank"]))]
        if left is not None and len(parts) == 1 and give_output(
                left, parts[0][1], arrays["x"], arrays["w_v"],
                arrays.get("w_o")):
            return [("output", parts[0][1]), ("weights", left)]
        return parts
    return value, split, x, original


def as_function(part, recipe, x, is_swapped):
    """The output in the grader's layout, without what is around the
    attention; other results as they are."""
    if not is_array(part) or tuple(part.shape) != tuple(x.shape):
        return part
    if recipe.is_sublayer:
        part = part - x
    return exchange_first_axes(part) if is_swapped else part
