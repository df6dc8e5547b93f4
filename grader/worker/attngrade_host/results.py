# SPDX-License-Identifier: MIT
"""From whatever a function returned to named arrays of numbers."""

from attngrade_host.errors import Problem, clean
from attngrade_host.libraries import numpy
from attngrade_host.tensors import is_array, to_numpy

OUTPUT_NAMES = ("output", "out", "context", "result", "attn_output",
                "attention_output", "attended", "last_hidden_state")
WEIGHTS_NAMES = ("weights", "attention_weights", "attn_weights", "attentions",
                 "attention_probs", "attn_probs", "alignment", "attention",
                 "attn", "probs")
ROLES = ("output", "weights")
MOST_RESULTS = 8  # of one call
# dtype.str without byte order -> the spelling of safetensors
DTYPES = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32",
          "i2": "I16", "i1": "I8", "u8": "U64", "u4": "U32", "u2": "U16",
          "u1": "U8", "b1": "BOOL"}


def type_name(value):
    name = type(value).__name__
    return ("an " if name[:1] in "aeiou" else "a ") + name


def nested_list(value):
    try:
        array = numpy.array([to_numpy(part)[0] if is_array(part) else part
                             for part in value])
    except ValueError:
        array = None
    if array is None or array.dtype == object:
        raise Problem("returned a list that is no rectangle of numbers")
    return array


def encode(value, max_elements):
    """(dtype, shape, bytes) of one result"""
    if value is None:
        raise Problem("returned None")
    if is_array(value):
        array, is_bfloat16 = to_numpy(value)
    elif isinstance(value, (list, tuple)):
        array, is_bfloat16 = nested_list(value), False
    elif isinstance(value, (bool, int, float)):
        array, is_bfloat16 = numpy.asarray(value), False
    else:
        raise Problem("returned %s, not an array" % type_name(value))
    if array.dtype.kind not in "fiub":
        raise Problem("returned an array of dtype %s, not of real numbers"
                      % array.dtype)
    if array.size > max_elements:
        raise Problem("returned an array of shape %s, far larger than any "
                      "result of this call" % (array.shape,))
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(numpy.float64)
    if is_bfloat16:
        bits = numpy.ascontiguousarray(array).view(numpy.uint32) >> 16
        return "BF16", list(array.shape), bits.astype("<u2").tobytes()
    little = array.astype(array.dtype.newbyteorder("<"))
    return DTYPES[array.dtype.str[1:]], list(array.shape), little.tobytes()


def with_roles(fields):
    """[(name, value), ...] of a dict or of an object's attributes: the roles
    that names tell first, under unknown names `result_N`."""
    lower = {str(name).lower(): name for name in fields}
    found, rest = [], dict(fields)
    for role, names in zip(ROLES, (OUTPUT_NAMES, WEIGHTS_NAMES)):
        for name in names:
            if fields.get(lower.get(name)) is not None:
                found.append((role, rest.pop(lower[name])))
                break
    return found + numbered(rest.values())


def numbered(parts):
    return [("result_%d" % i, part) for i, part in enumerate(parts)
            if part is not None]


def attributes(value):
    """{name: value} of a named tuple or an object with results, else {}"""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", ())
    else:
        names = list(getattr(value, "__dict__", ()))
        names += [name for name in OUTPUT_NAMES + WEIGHTS_NAMES
                  if name not in names]
    return {name: getattr(value, name) for name in names
            if hasattr(value, name)}


def is_sequence_of_results(value, rank):
    """A tuple always is; a list of arrays may be one array, row by row."""
    if isinstance(value, tuple):
        return True
    if not isinstance(value, list) or not any(map(is_array, value)):
        return False
    shapes = {numpy.shape(part) for part in value}
    return len(shapes) > 1 or len(shapes.pop()) >= rank


def split_results(value, rank):
    """[(name, value), ...]; the names `output` and `weights` are roles."""
    if isinstance(value, dict):
        return with_roles(value)
    if is_sequence_of_results(value, rank):
        return with_roles(attributes(value)) or numbered(value)
    if not is_array(value) and not isinstance(value, (list, type)):
        found = with_roles(attributes(value))
        if any(is_array(part) or isinstance(part, list) for _, part in found):
            return found
    return [("result_0", value)]


def is_beside_results(value):
    """A count of seconds, a dict of figures: no result where there are arrays."""
    return not is_array(value) and not isinstance(value, (list, tuple))


def encode_all(parts, max_elements):
    """Encoded arrays of all that is one, at least of the first."""
    encoded = []
    for name, part in parts:
        try:
            encoded.append((name,) + encode(part, max_elements))
        except Problem:
            # (output, (k, v)), whose cache is no rectangle
            if is_array(part) or not encoded or name in ROLES:
                raise
    return encoded


def encode_results(value, request, split=None):
    """(problem, encoded arrays); hostile objects may raise anything. split: in
    place of split_results."""
    try:
        parts = (split(value) if split
                 else split_results(value, int(request["rank"])))
        results = [part for part in parts if not is_beside_results(part[1])]
        if not results and isinstance(value, dict):
            raise Problem("returned a dict without an array")
        if not results and len(parts) == 1:
            results = parts
        if not 1 <= len(results) <= MOST_RESULTS:
            raise Problem("returned %s" % ("%d values" % len(parts)
                          if results else "no array among %d values"
                                          % len(parts)))
        return "", encode_all(results, int(request["max_elements"]))
    except Problem as problem:
        return clean(str(problem)), []
    except MemoryError:
        raise
    except Exception as error:
        return clean("returned %s that cannot be converted: %s: %s"
                     % (type_name(value), type(error).__name__, error)), []
