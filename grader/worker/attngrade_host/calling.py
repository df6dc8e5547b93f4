# SPDX-License-Identifier: MIT
"""One call of the candidate's function."""

from attngrade_host.errors import describe_error
from attngrade_host.results import encode_results


def is_changed(array, original):
    try:
        return array.shape != original.shape or (
            array.tobytes() != original.tobytes())
    except Exception:
        return True


def arrange(request, originals):
    """Positional and keyword arguments: fresh arrays for every call."""
    values = []
    for name in request["arguments"].split():
        if name == "n_heads":
            values.append(int(request["n_heads"]))
        else:
            values.append(originals[name].copy())
    keywords = request["keywords"].split()
    positional = len(values) - len(keywords)
    return values[:positional], dict(zip(keywords, values[positional:]))


def function_of(module, request):
    target = getattr(module, request["callable"])
    if request["is_class"] == "1":
        target = target()  # no state from one call to the next
    if hasattr(target, "eval") and hasattr(target, "forward"):
        target.eval()  # dropout off
    if not callable(target):
        target = target.forward
    return target


def call(module, request, originals):
    """(metadata, encoded arrays) of the reply"""
    positional, keyword = arrange(request, originals)
    passed = positional + list(keyword.values())
    try:
        value = function_of(module, request)(*positional, **keyword)
    except (MemoryError, SystemExit):
        raise
    except BaseException as error:
        return dict(describe_error(error), status="raised"), []
    problem, arrays = encode_results(value, request)
    names = request["arguments"].split()
    mutated = any(is_changed(array, originals[name])
                  for name, array in zip(names, passed) if name in originals)
    return {"status": "returned", "problem": problem,
            "mutated": "1" if mutated else "0"}, arrays
