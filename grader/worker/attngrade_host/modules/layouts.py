# SPDX-License-Identifier: MIT
"""How the weights of a role lie in an array of some shape.

A layout says for each axis of the array which factors it is made of, the slowest
first: "hd c" is an array (H d, C), torch's weight of a linear layer of all heads;
"h c d" one matrix a head; "rhd c" queries, keys and values in one. Factors: c
width of the model, h heads, d columns of one head, r roles. One word, without
spaces, in a reading: "hd-c".
"""

import itertools

from attngrade_host.libraries import numpy


def factor_sizes(sizes, roles, has_heads, width):
    factors = {"c": sizes.C, "d": width}
    if has_heads:
        factors["h"] = sizes.H
    if len(roles) > 1:
        factors["r"] = len(roles)
    return factors


def product(factors, letters):
    result = 1
    for letter in letters:
        result *= factors[letter]
    return result


def splits(letters, count):
    """Ways to cut a text into `count` parts that are not empty."""
    for cuts in itertools.combinations(range(1, len(letters)), count - 1):
        bounds = (0,) + cuts + (len(letters),)
        yield tuple(letters[a:b] for a, b in zip(bounds, bounds[1:]))


# Of several that fit, the usual first: heads outside columns, roles outside
# heads; then what is stored (in, out).
def plainness(layout, is_output):
    text = "".join(layout)
    order = [letter for letter in text if letter != "c"]
    usual = [letter for letter in "rhd" if letter in text]
    return ([usual.index(letter) for letter in order],
            (layout[0] == "c") == is_output, layout)


def layouts_of(shape, factors, stored, is_output=False):
    """Layouts that fit the shape, the usual first. Axes of size 1 that no factor
    stands for, of a 1x1 convolution, are left out. stored: "out-in", "in-out", or
    "" where that is not known. is_output: of w_o, whose columns are the model's,
    and whose rows the heads'."""
    c_first = (stored == "in-out") != is_output
    shape = tuple(size for size in shape if size > 1)
    letters = [letter for letter in factors if factors[letter] > 1]
    if len(shape) < 2 or len(shape) > len(letters):
        return []
    found = set()
    for order in itertools.permutations(letters):
        for layout in splits("".join(order), len(shape)):
            is_sound = all(part == "c" or "c" not in part for part in layout)
            fits = all(product(factors, part) == size
                       for part, size in zip(layout, shape))
            is_there = not stored or layout[0 if c_first else -1] == "c"
            if is_sound and fits and is_there:
                found.add(layout)
    return sorted(found, key=lambda layout: plainness(layout, is_output))


def word(layout):
    return "-".join(layout)


ORDERS = {"rhd": "q, k and v one after the other, in each head after head",
          "hrd": "head after head, in each q, k and v",
          "dh": "head h owns columns h, h + H, ...",
          "hd": "head after head"}
FACTORS = {"r": "q, k and v", "h": "the heads", "d": "the columns of a head"}


def says(layout, is_output):
    """A layout that is not the usual one, for people."""
    if layout[0] == "shared":
        return "one matrix for all heads, stored (in, out)"
    order = "".join(layout).replace("c", "")
    text = ORDERS.get(order) or "from outside in " + ", ".join(
        FACTORS[letter] for letter in order)
    side = "in, out" if (layout[0] == "c") != is_output else "out, in"
    return "%s; stored (%s)" % (text, side)


def arrange(weights, layout, shape, factors):
    """An array of `shape` that holds `weights`, one array (C, H d) a role, heads
    outside; of w_o its transpose."""
    full = numpy.stack(weights).reshape(len(weights), factors["c"],
                                        factors.get("h", 1), factors["d"])
    axes = {"r": 0, "c": 1, "h": 2, "d": 3}
    order = [axes[letter] for letter in "".join(layout)]
    order += [axis for axis in range(4) if axis not in order]  # of size 1
    return numpy.ascontiguousarray(full.transpose(order)).reshape(shape)
