# SPDX-License-Identifier: MIT
"""The first call of an object whose parameters come into being by it."""

import copy
import itertools

from attngrade_host.modules.forward import is_lengths


class NotInitialised(Exception):
    """It fails in every way to call the object; the text says how."""


def starts(call):
    """(rank, form, is a mask passed), the usual first"""
    masks = (False, True) if call.mask is not None else (False,)
    return itertools.product((3, 2), call.forms(), masks)


def arguments(call, start, sizes, wants_causal, library):
    """library: has `zeros` and `ones`"""
    rank, form, has_mask = start
    call = copy.copy(call)
    call.form = form
    x = library.zeros((sizes.batch or 1, sizes.n, sizes.C)[3 - rank:])
    mask = None
    if has_mask and is_lengths(call.mask):
        mask = library.ones((sizes.batch or 1,), "int32") * sizes.n
    elif has_mask:
        mask = library.ones((sizes.n, sizes.n), "bool")
    return call.arguments(x, mask, wants_causal, sizes)


def first_start(call, sizes, wants_causal, library, use):
    """What use(positional, named) returns for the first start that it takes,
    which the call remembers to try first."""
    first = None
    known = [call.start] if call.start else []
    for start in itertools.chain(known, starts(call)):
        try:
            found = use(*arguments(call, start, sizes, wants_causal, library))
        except Exception as error:
            first = first or error
            continue
        call.start = start
        return found
    if isinstance(first, NameError):
        raise first  # the file may set the name where it is not run
    raise NotInitialised("it fails on its first call, of zeros: %s: %s" % (
        type(first).__name__, str(first).split("\n")[0])) from first
