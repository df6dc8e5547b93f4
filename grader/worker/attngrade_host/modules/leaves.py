# SPDX-License-Identifier: MIT
"""The arrays that an object computes with: parameters of torch modules, arrays
that are attributes, in lists and in dicts."""

import itertools
import re
import sys

from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.names import TABLE, means, normalise

MOST_LEAVES = 400
DEEPEST = 6
# Rows and columns of what torch's own layers hold: weight[out, in].
OUT_IN = ("Linear", "Conv1d", "Conv2d", "MultiheadAttention",
          "NonDynamicallyQuantizableLinear")
IN_OUT = ("Dense", "DenseGeneral", "Linear", "LinearGeneral", "Conv")  # Flax
NORMS = ("LayerNorm", "RMSNorm", "BatchNorm1d", "GroupNorm")


def is_torch_tensor(value):
    torch = sys.modules.get("torch")
    base = getattr(torch, "Tensor", None)
    return isinstance(base, type) and isinstance(value, base)


def is_numbers(value):
    """A tensor or an array of floating point numbers."""
    if is_torch_tensor(value):
        return value.dtype.is_floating_point
    if numpy is not None and isinstance(value, numpy.ndarray):
        return value.dtype.kind == "f"
    return is_jax_array(value) and "float" in str(value.dtype)


def is_jax_array(value):
    jax = sys.modules.get("jax")
    base = getattr(jax, "Array", None)
    return isinstance(base, type) and isinstance(value, base)


def stored_by(owner):
    """How a layer of a framework stores its weight: "out-in", "in-out"; "" of
    anything else."""
    library = type(owner).__module__.split(".")[0]
    name = type(owner).__name__
    if library in ("torch", "equinox") and name in OUT_IN:
        return "out-in"
    return "in-out" if library in ("flax", "keras") and name in IN_OUT else ""


WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words_of(name):
    """rel, pos, bias of relPos_bias"""
    return [word.lower() for word in WORD.findall(name)]


class Tree:
    """Base of what keeps its arrays beside the object: `leaves()` gives them,
    `method(name)` what is called."""

    def skip_norms(self, width):
        """See writing.replace_norms."""
        return 0


class Leaf:
    """name: its path; shape: a tuple; stored: see stored_by; layer: path of the
    module that holds it."""

    def __init__(self, name, value, layer, owner, replace):
        self.name = name
        self.value = value
        self.shape = tuple(int(size) for size in value.shape)
        self.layer = layer
        self.owner = type(owner).__name__
        self.stored = stored_by(owner)
        self.is_parameter = hasattr(type(value), "requires_grad") and type(
            value).__name__.endswith("Parameter")
        self.is_norm = not self.is_matrix() and (
            self.owner in NORMS or "norm" in normalise(self.owner))
        self.replace = replace

    def parts(self):
        return self.name.split(".")

    def write(self, array):
        """array: numpy, float64, of this shape; rounded to the type that the
        parameter has."""
        if is_torch_tensor(self.value):
            torch = sys.modules["torch"]
            with torch.no_grad():
                self.value.data.copy_(torch.from_numpy(array.copy()))
        elif isinstance(self.value, numpy.ndarray):
            if self.value.flags.writeable:
                self.value[...] = array
            else:
                self.replace(array.astype(self.value.dtype))
        else:
            self.replace(sys.modules["jax"].numpy.asarray(
                array, dtype=self.value.dtype))

    def is_matrix(self):
        return sum(size > 1 for size in self.shape) > 1

    def is_of_training(self):
        """A gradient, or what is kept for one: no part of the function."""
        return not self.is_parameter and any(
            means(part, "of_training") for part in self.parts())

    def is_table(self):
        """Of relative positions, or a factor of low rank: switched off. A layer
        that only has such a name, `pos_proj`, is none."""
        words = [word for part in self.parts() for word in words_of(part)]
        if any(means(word, "low_rank") for word in words):
            return True
        own = [word for part in self.parts()[-2:] for word in words_of(part)]
        return not self.stored and any(means(word, "position_tables")
                                       for word in own)


def variable_of_nnx(value):
    """Does it hold one array, `value`?"""
    nnx = sys.modules.get("flax.nnx")
    base = getattr(nnx, "Variable", None)
    return isinstance(base, type) and isinstance(value, base)


def is_own_object(value):
    """Of a class that the submission defines, to be looked into."""
    return (hasattr(value, "__dict__") and not isinstance(value, type)
            and not hasattr(type(value), "__get__")
            and not type(value).__module__.startswith(
                ("numpy", "torch.", "jax", "builtins", "random")))


def children(value, replace):
    """(name, child, replace) of what may hold arrays; replace: of `value`."""
    if isinstance(value, tuple):
        parts = list(value)
        return [(str(i), child, _set_part(parts, i, value, replace))
                for i, child in enumerate(parts[:MOST_LEAVES])]
    if isinstance(value, list):
        return [(str(i), child, _set_item(value, i))
                for i, child in enumerate(value[:MOST_LEAVES])]
    # Frozen objects, too, are written to by their dict.
    found = value if isinstance(value, dict) else vars(value)
    return [(str(key), child, _set_item(found, key))
            for key, child in itertools.islice(found.items(), MOST_LEAVES)
            if not str(key).startswith("_pytree__")]  # of nnx


def _set_part(parts, index, value, replace_whole):
    """parts: a list for all parts of the tuple `value`, which stays as it is:
    another takes its place."""
    def replace(new):
        parts[index] = new
        replace_whole(value._make(parts) if hasattr(value, "_make")
                      else tuple(parts))
    return replace


def _set_item(container, key):
    def replace(new):
        container[key] = new
    return replace


def _set_attribute(container, name):
    def replace(new):
        setattr(container, name, new)
    return replace


def leaves_of(root):
    """Every array of floating point numbers in `root`, in the order in which it
    was made; buffers of torch are none: they hold masks and tables."""
    if isinstance(root, Tree):
        return root.leaves()
    found, seen = [], set()

    def visit(*arguments):
        try:
            look_at(*arguments)
        except Exception:  # of a submission's object, that is looked at
            pass

    def look_at(value, path, layer, owner, replace, depth):
        if len(found) >= MOST_LEAVES or depth > DEEPEST:
            return
        if is_numbers(value):
            if id(value) not in seen:
                seen.add(id(value))
                found.append(Leaf(path, value, layer, owner, replace))
            return
        if id(value) in seen:
            return
        if variable_of_nnx(value):
            seen.add(id(value))
            visit(value[...] if callable(getattr(value, "__getitem__", None))
                  else value.value, path, layer, owner,
                  _set_attribute(value, "value"), depth)
            return
        if is_torch_module(value):
            seen.add(id(value))
            visit_module(value, path, depth)
        elif isinstance(value, (dict, list, tuple)) or is_own_object(value):
            seen.add(id(value))
            inner = value if is_own_object(value) else owner
            for name, child, replace_child in children(value, replace):
                visit(child, join(path, name), layer, inner, replace_child,
                      depth + 1)

    def visit_module(module, path, depth):
        state = vars(module)
        members = list(state.get("_parameters", {}).items())
        members += list(state.get("_modules", {}).items())
        members += [(name, value) for name, value in state.items()
                    if name not in ("_parameters", "_modules", "_buffers")
                    and not name.startswith("_")]
        for name, child in members:
            visit(child, join(path, name), path, module,
                  _set_attribute(module, name), depth + 1)

    visit(root, "", "", None, None, 0)
    return found


def join(path, name):
    return path + "." + name if path else name


def is_bias(leaf):
    """bias, b_q, bo: added to something. What is one number, or a row for a
    norm, is none."""
    last = normalise(leaf.parts()[-1])
    rest = last[1:]
    is_of_role = last.startswith("b") and rest in [
        word for role in ("query", "key", "value", "output")
        for word in TABLE[role]]
    return not leaf.is_norm and ("bias" in last or is_of_role or last == "b")
