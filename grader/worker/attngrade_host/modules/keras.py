# SPDX-License-Identifier: MIT
"""Layers of Keras 3 on torch: built by one call, their arrays are variables."""

import inspect
import sys

from attngrade_host.modules.leaves import DEEPEST, MOST_LEAVES, Leaf, Tree
from attngrade_host.modules.starts import first_start
from attngrade_host.tensors import to_numpy


def is_instance(value, name):
    base = getattr(sys.modules.get("keras"), name, None)
    return isinstance(base, type) and isinstance(value, base)


def is_keras_layer(value):
    return is_instance(value, "Layer")


def backend_of_keras():
    try:
        return str(sys.modules["keras"].config.backend())
    except Exception:
        return "TensorFlow"  # Keras 2


def set_precision(dtype):
    """Of the layers that are made from now on."""
    keras = sys.modules.get("keras")
    if hasattr(keras, "config"):
        keras.config.set_floatx(dtype)
        keras.config.set_dtype_policy(dtype)


class VariableLeaf(Leaf):
    is_parameter = True

    def write(self, array):
        self.replace(array)


class KerasLayer(Tree):
    def __init__(self, layer):
        self.layer = layer

    def method(self, name):
        if name != "call":
            return getattr(self.layer, name)

        def run(*positional, **named):
            # Only tensors may be passed by position.
            names = list(inspect.signature(self.layer.call).parameters)
            named.update(zip(names[1:], positional[1:]))
            return self.layer(*positional[:1], **named)
        return run

    def leaves(self):
        found, seen = [], set()
        self.visit(self.layer, "", self.layer, found, seen, 0)
        return found

    def visit(self, value, path, owner, found, seen, depth):
        if id(value) in seen or depth > DEEPEST or len(found) >= MOST_LEAVES:
            return
        seen.add(id(value))
        if is_instance(value, "Variable"):
            array = to_numpy(value.value)[0]
            if array.dtype.kind == "f":
                found.append(VariableLeaf(path, array, path.rpartition(".")[0],
                                          owner, value.assign))
            return
        for name, child in members(value):
            self.visit(child, (path + "." if path else "") + name.lstrip("_"),
                       value if is_keras_layer(value) else owner, found, seen,
                       depth + 1)


def members(value):
    """(name, child), without the lists that a layer keeps of what it holds."""
    if isinstance(value, dict):
        return [(str(key), child) for key, child in value.items()]
    if isinstance(value, (list, tuple)):
        return [(str(i), child) for i, child in enumerate(value)]
    if not is_keras_layer(value):
        return []
    state = vars(value)  # torch keeps layers apart
    own = {**state, **state.get("_modules", {})}
    return [(name, child) for name, child in own.items()
            if not name.startswith("_") or is_keras_layer(child)
            or is_instance(child, "Variable")]


def built(layer, call, sizes, wants_causal):
    """A KerasLayer; NotInitialised"""
    made = KerasLayer(layer)

    def start(positional, named):
        made.method(call.method)(*positional, **named)
    first_start(call, sizes, wants_causal, sys.modules["keras"].ops, start)
    return made
