# SPDX-License-Identifier: MIT
"""Attention weights that a call leaves beside what it returns: in an attribute
that it sets, or as a result of a layer within.

What counts as weights is told by the numbers, not by a name: of the shape that
the scores have, nothing below 0, rows that add up to 1; and they count where
they give the output. So raw scores under the name `attn` are none, nor are
weights from before the mask. Without any, weights are recovered from outputs.
"""

from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.leaves import is_own_object
from attngrade_host.tensors import is_array, to_numpy

MOST_PARTS = 100
CLOSE = 0.01  # of the largest number: half precision is no reason to doubt


def scores_shape(sizes, has_heads, rank):
    """(B, H, n, n), without B where x has two axes, without H in classes that
    have none"""
    shape = (sizes.batch,) if rank == 3 else ()
    return shape + ((sizes.H,) if has_heads else ()) + (sizes.n, sizes.n)


def are_weights(value, shape):
    """Of tensors of whoever makes them: False of what cannot be looked at."""
    try:
        if not is_array(value) or tuple(value.shape) != shape:
            return False
        array = to_numpy(value)[0].astype(numpy.float64)
        return bool((array >= 0).all()
                    and numpy.allclose(array.sum(axis=-1), 1, atol=1e-3))
    except Exception:
        return False


def parts_of(made):
    """{path: object} of what may be set by a call: the object, the layers of a
    torch module, other objects of the submission's own in its attributes."""
    if is_torch_module(made):
        return dict(list(made.named_modules())[:MOST_PARTS])
    parts = {"": made}
    for name, value in list(getattr(made, "__dict__", {}).items())[:MOST_PARTS]:
        if is_own_object(value):
            parts[name] = value
    return parts


class Beside:
    """Where a call leaves weights. path: of the object or layer; attribute:
    which it sets, or "": they are the result `index` of the layer."""

    def __init__(self, path, attribute, index=0):
        self.path = path
        self.attribute = attribute
        self.index = index

    def text(self):
        """For people."""
        name = ".".join(part for part in (self.path, self.attribute) if part)
        return ("its weights are read from `%s`, which the call sets" % name
                if self.attribute else
                "its weights are read from what `%s` returns" % name)

    def watch(self, made):
        """A Watch for one call, or None where there is no such part."""
        part = parts_of(made).get(self.path)
        return None if part is None else Watch(self, part)


class Watch:
    """weights(): what was left since it was made, or None; to be ended."""

    def __init__(self, beside, part):
        self.beside = beside
        self.part = part
        self.returned = []
        self.handle = None
        if beside.attribute:
            self.before = vars(part).get(beside.attribute)
        else:
            self.handle = part.register_forward_hook(
                lambda layer, inputs, results: self.returned.append(results))

    def weights(self):
        if self.beside.attribute:
            value = vars(self.part).get(self.beside.attribute)
            return None if value is self.before else value
        results = self.returned[-1] if self.returned else ()
        return (results[self.beside.index] if isinstance(results, tuple)
                and self.beside.index < len(results) else None)

    def end(self):
        if self.handle is not None:
            self.handle.remove()


def find_beside(made, call, shape):
    """The first place at which `call()` leaves weights of that shape, or None;
    an attribute before a result of a layer. The object has not been called."""
    parts = parts_of(made)
    before = {path: dict(vars(part)) for path, part in parts.items()}
    returned, handles = [], []
    if is_torch_module(made):
        handles = [part.register_forward_hook(
            lambda layer, inputs, results, path=path:
            returned.append((path, results)))
            for path, part in parts.items() if path]
    try:
        call()
    finally:
        for handle in handles:
            handle.remove()
    for path, part in parts.items():
        for name, value in list(vars(part).items()):
            if value is not before[path].get(name) and are_weights(value, shape):
                return Beside(path, name)
    for path, results in returned:
        for index, value in enumerate(results if isinstance(results, tuple)
                                      else ()):
            if are_weights(value, shape):
                return Beside(path, "", index)
    return None


def give_output(weights, output, x, w_v, w_o):
    """Is it the output that follows from the weights? x: (..., n, C); w_v:
    (C, H d_v); w_o: (H d_v, C), None where there is none; all numpy."""
    try:
        weights = to_numpy(weights)[0].astype(numpy.float64)
        output = to_numpy(output)[0].astype(numpy.float64)
        values = x @ w_v
        if weights.ndim > x.ndim:  # (..., n, H d_v) as (..., H, n, d_v)
            heads = weights.shape[-3]
            values = values.reshape(values.shape[:-1] + (heads, -1))
            values = numpy.swapaxes(values, -3, -2)
            attended = numpy.swapaxes(weights @ values, -3, -2)
            attended = attended.reshape(attended.shape[:-2] + (-1,))
        else:
            attended = weights @ values
        expected = attended if w_o is None else attended @ w_o
        difference = numpy.abs(output - expected)  # of unequal shapes: raises
        return output.shape == expected.shape and bool(
            difference.max() <= CLOSE * numpy.abs(expected).max())
    except Exception:
        return False
