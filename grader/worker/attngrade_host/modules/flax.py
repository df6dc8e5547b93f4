# SPDX-License-Identifier: MIT
"""Modules of flax.linen: their parameters are a tree beside the object, made by
`init` and passed to `apply`."""

import itertools
import re
import sys

from attngrade_host.libraries import numpy
from attngrade_host.modules.forward import switch_of
from attngrade_host.modules.leaves import Leaf, Tree
from attngrade_host.modules.names import normalise
from attngrade_host.modules.starts import first_start

AUTOMATIC = re.compile(r"(\w+)_(\d+)")
FILLED = ("kernel", "bias", "scale", "embedding")  # of Flax's own layers


def linen():
    return sys.modules.get("flax.linen")


def is_linen(value):
    base = getattr(linen(), "Module", None)
    return isinstance(base, type) and isinstance(value, base)


def is_of_flax(module):
    return type(module).__module__.startswith("flax.")


class LinenLeaf(Leaf):
    """A parameter; its path is that of the tree."""

    is_parameter = True

    def parts(self):
        """A list `heads` names its layers heads_0, heads_1; Flax calls its own
        Dense_0, Dense_1, which says nothing."""
        found = []
        for part in self.name.split("."):
            match = AUTOMATIC.fullmatch(part)
            if match is None:
                found.append(part)
            elif hasattr(linen(), match.group(1)):
                found.append("unnamed " + part)
            else:
                found += match.groups()
        return found


class Linen(Tree):
    """owners: {path: the module that was called there}; paths: of the
    parameters, in the order in which they were made."""

    calls = itertools.count()

    def __init__(self, module, variables, owners, paths):
        self.module = module
        self.variables = copied(variables)
        self.owners = owners
        self.paths = paths
        self.skipped_width = 0

    def leaves(self):
        return [self.leaf(path) for path in self.paths]

    def leaf(self, path):
        holder = self.variables["params"]
        for key in path[:-1]:
            holder = holder[key]
        return LinenLeaf(
            ".".join(("params",) + path), holder[path[-1]],
            ".".join(path[:-1]), self.owners.get(path[:-1]),
            lambda new: holder.__setitem__(path[-1], new))

    def skip_norms(self, width):
        """See writing.replace_norms."""
        norms = {leaf.layer for leaf in self.leaves()
                 if leaf.is_norm and leaf.shape == (width,)}
        self.skipped_width = width if norms else 0
        return len(norms)

    def method(self, name):
        """To be called like a method of the object."""
        def run(*positional, **named):
            # Dropout that is never off has to show: other numbers each time.
            key = sys.modules["jax"].random.PRNGKey(next(self.calls))
            with linen().intercept_methods(self.intercept):
                return self.module.apply(self.variables, *positional,
                                         method=name, rngs={"dropout": key},
                                         **named)
        return run

    def intercept(self, function, positional, named, context):
        is_norm = (is_of_flax(context.module) and "norm" in normalise(
            type(context.module).__name__))
        if (self.skipped_width and is_norm and positional
                and positional[0].shape[-1] == self.skipped_width):
            return positional[0]
        return function(*positional, **named)


def copied(tree):
    if hasattr(tree, "items"):
        return {key: copied(value) for key, value in tree.items()}
    return tree


def flattened(tree, path=()):
    """(path, array), in order"""
    for key, value in tree.items():
        if hasattr(value, "items"):
            yield from flattened(value, path + (key,))
        else:
            yield path + (key,), value


def in_evaluation(module, call):
    """With the fields that switch dropout off, where the call does not."""
    passed = {normalise(parameter.name) for parameter in call.parameters}
    fields = {name: switch_of(name) for name in vars(module)
              if switch_of(name) is not None and normalise(name) not in passed
              and isinstance(getattr(module, name), (bool, type(None)))}
    return module.clone(**fields) if fields else module


class Nursery:
    """Makes the variables of one class; those of the same sizes once, for the
    class has no other state."""

    def __init__(self, call):
        self.call = call
        self.made = {}

    def grow(self, module, sizes, wants_causal):
        """A Linen; NotInitialised"""
        module = in_evaluation(module, self.call)
        jax = sys.modules["jax"]
        key = sizes, wants_causal, bool(jax.config.jax_enable_x64)
        if key not in self.made:
            self.made[key] = first_start(
                self.call, sizes, wants_causal, jax.numpy,
                lambda positional, named: initialise(
                    module, self.call.method, positional, named))
        return Linen(module, *self.made[key])


def initialise(module, method, positional, named):
    """(variables, owners, paths) for Linen. Real numbers are drawn only for
    what is neither a matrix nor in a layer of Flax's own: each costs a
    compilation."""
    jax = sys.modules["jax"]
    owners, paths = {}, []

    def watch(function, inputs, flags, context):
        owners.setdefault(tuple(context.module.path), context.module)
        return function(*inputs, **flags)

    def init():
        with linen().intercept_methods(watch):
            random = dict(zip(("params", "dropout"), jax.random.split(
                jax.random.PRNGKey(0))))
            made = copied(module.init(random, *positional, method=method,
                                      **named))
        made.pop("intermediates", None)
        # Sorted by name once it has left this function.
        paths[:] = [path for path, _ in flattened(made.get("params", {}))]
        return made

    try:
        shapes = copied(jax.eval_shape(init))
        rest = [path for path, _ in flattened(shapes)
                if not is_filled(path, at(shapes, path), owners)]
        numbers = jax.jit(lambda: [at(init(), path) for path in rest])() if (
            rest) else []
        made = filled(shapes, dict(zip(rest, numbers)))
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):
        made = init()  # it looks at numbers, which cannot be traced
    made.setdefault("params", {})
    return made, owners, paths


def is_filled(path, like, owners):
    """Matrices are written to later, or do not count."""
    owner = owners.get(path[1:-1])
    is_known = path[-1] in FILLED and owner is not None and is_of_flax(owner)
    return path[0] == "params" and (
        is_known or sum(size > 1 for size in like.shape) > 1)


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def filled(shapes, known, path=()):
    """The tree with numbers: those that are known, else of the usual kind."""
    if hasattr(shapes, "items"):
        return {key: filled(value, known, path + (key,))
                for key, value in shapes.items()}
    return known[path] if path in known else usual(path[-1], shapes)


def usual(name, like):
    if name in ("bias", "scale"):
        numbers = numpy.full(like.shape, float(name == "scale"))
    else:
        numbers = numpy.random.default_rng(len(like.shape)).standard_normal(
            like.shape) / numpy.sqrt(like.shape[0])
    return sys.modules["jax"].numpy.asarray(numbers, dtype=like.dtype)
