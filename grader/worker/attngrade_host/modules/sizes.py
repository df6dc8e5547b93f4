# SPDX-License-Identifier: MIT
"""The sizes of one call, and the words for them that plans are written in."""

import collections
import re

# C: d_model, H: heads (1 in self-attention), d: of a query of one head, dv: of
# a value of one head, n: tokens, long: at least n, for tables of positions.
Sizes = collections.namedtuple("Sizes", "C H d dv n batch long")

SYMBOLS = ("C", "H", "d", "dv", "n", "long")
EXPRESSION = re.compile(r"\s*(\w+)\s*(?:(//?|\*)\s*(\w+)\s*)?")


def number(word, sizes):
    """Of a symbol or digits; ValueError of anything else."""
    return getattr(sizes, word) if word in SYMBOLS else int(word)


def value_of(expression, sizes):
    """What a plan passes: a number, a switch or None as they are; of a text the
    value, "C", "C/H", "4*C"; a text of anything else is passed as it is."""
    if not isinstance(expression, str):
        return expression
    match = EXPRESSION.fullmatch(expression)
    try:
        first, operator, second = match.groups()
        if operator is None:
            return number(first, sizes)
        a, b = number(first, sizes), number(second, sizes)
        return a * b if operator == "*" else a // b
    except (AttributeError, ValueError, ZeroDivisionError):
        return expression


def text_of(value):
    """For people: the symbols of the documentation."""
    words = {"d": "d_k", "dv": "d_v", "long": "long enough"}
    return words.get(value, str(value))
