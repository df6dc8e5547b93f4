# SPDX-License-Identifier: MIT
"""From whatever a function returned to named arrays of numbers."""

from attngrade_host.errors import Problem, clean
from attngrade_host.libraries import numpy
from attngrade_host.tensors import is_array, to_numpy

OUTPUT_NAMES = ("output", "out", "context", "result")
WEIGHTS_NAMES = ("weights", "attention_weights", "attn_weights", "attention",
                 "attn", "probs")
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


def named_results(fields):
    """{role: value} of a dict or of an object's attributes"""
    lower = {str(name).lower(): value for name, value in fields.items()}
    roles = {}
    for role, names in (("output", OUTPUT_NAMES), ("weights", WEIGHTS_NAMES)):
        for name in names:
            if lower.get(name) is not None:
                roles[role] = lower[name]
                break
    return roles


def attributes(value):
    names = OUTPUT_NAMES + WEIGHTS_NAMES
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
        named = named_results(value)
        if not named:
            raise Problem("returned a dict without an entry 'output' or "
                          "'weights'")
        return list(named.items())
    if is_sequence_of_results(value, rank):
        named = named_results(attributes(value))
        if named:
            return list(named.items())
        parts = [part for part in value if part is not None]
        if not 1 <= len(parts) <= 4:
            raise Problem("returned %d values" % len(value))
        return [("result_%d" % i, part) for i, part in enumerate(parts)]
    if not is_array(value):
        named = named_results(attributes(value))
        if named:
            return list(named.items())
    return [("result_0", value)]


def encode_results(value, request):
    """(problem, encoded arrays); hostile objects may raise anything."""
    max_elements = int(request["max_elements"])
    try:
        return "", [(name,) + encode(part, max_elements)
                    for name, part in split_results(value,
                                                    int(request["rank"]))]
    except Problem as problem:
        return clean(str(problem)), []
    except MemoryError:
        raise
    except Exception as error:
        return clean("returned %s that cannot be converted: %s: %s"
                     % (type_name(value), type(error).__name__, error)), []
