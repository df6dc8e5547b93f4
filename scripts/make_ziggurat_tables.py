#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes reference/ziggurat_tables.hpp: the tables of numpy's standard_normal.

256 layers of equal area lie under exp(-x^2/2); layer 0 is a rectangle together
with the tail beyond r (Marsaglia and Tsang, "The Ziggurat Method for Generating
Random Variables", 2000).

numpy's tables are those of a computation in float64, not of an exact one: many
entries are some units in the last place away from the exact values. So the same
float64 steps are taken here, with logarithms and exponentials that are rounded
correctly (from 50 digits), to be the same on every machine.

    python3 scripts/make_ziggurat_tables.py > reference/ziggurat_tables.hpp
    python3 scripts/make_ziggurat_tables.py --check ziggurat_constants.h

The second form compares with the file of numpy's source distribution,
numpy/random/src/distributions/ziggurat_constants.h.
"""

import argparse
import math
import re
from decimal import Decimal, getcontext

getcontext().prec = 50

LAYERS = 256
PLACES = 2.0**52  # places in a layer
EDGE = 3.6541528853610087963519472518  # r, where the tail begins
INVERSE_EDGE = 0.27366123732975827203338247596
AREA = 0.0049286732339746519  # of a layer
# The one entry that a correctly rounded exponential does not give: the exact
# value lies 0.498 of a unit in the last place above the correctly rounded one,
# and numpy has the next above.
ROUNDED_UP = 38


def log(x):
    return float(Decimal(x).ln())


def exp(x):
    return float(Decimal(x).exp())


def tables():
    x = [0.0] * LAYERS  # right edge of a layer
    density = [1.0] * LAYERS  # exp(-x^2/2) there
    x[255] = EDGE
    density[255] = exp(-0.5 * EDGE * EDGE)
    for i in range(254, 0, -1):
        x[i] = math.sqrt(-2.0 * log(AREA / x[i + 1] + density[i + 1]))
        density[i] = exp(-0.5 * x[i] * x[i])
        if i == ROUNDED_UP:
            density[i] = math.nextafter(density[i], math.inf)
    width = [AREA / density[255] / PLACES] + [edge / PLACES for edge in x[1:]]
    inside = [round(EDGE * density[255] / AREA * PLACES), 0]
    inside += [round(x[i - 1] / x[i] * PLACES) for i in range(2, LAYERS)]
    return inside, width, density


HEADER = """\
// SPDX-License-Identifier: MIT
// Written by scripts/make_ziggurat_tables.py, which says what the tables are.
#pragma once

#include <array>
#include <cstdint>

namespace reference {

// clang-format off
inline constexpr double ziggurat_edge = %r;
inline constexpr double ziggurat_inverse_edge = %r;
"""

TABLE = """
// %s
inline constexpr std::array<%s, 256> %s = {
%s};
"""

FOOTER = """// clang-format on

}  // namespace reference
"""


def rows(values, form, columns):
    texts = [form(value) for value in values]
    lines = [texts[i : i + columns] for i in range(0, LAYERS, columns)]
    return "".join("    " + ", ".join(line) + ",\n" for line in lines)


def header():
    inside, width, density = tables()
    text = HEADER % (EDGE, INVERSE_EDGE)
    text += TABLE % (
        "Places below this lie inside the layer above as well.",
        "std::uint64_t",
        "ziggurat_inside",
        rows(inside, "0x{:013x}".format, 4),
    )
    text += TABLE % (
        "Width of a place.",
        "double",
        "ziggurat_width",
        rows(width, repr, 3),
    )
    text += TABLE % (
        "exp(-x^2/2) at the right edge of the layer.",
        "double",
        "ziggurat_density",
        rows(density, repr, 3),
    )
    return text + FOOTER


def numpy_table(source, name):
    body = re.search(name + r"\[\] = \{(.*?)\}", source, re.DOTALL).group(1)
    return [text.strip() for text in body.split(",") if text.strip()]


def check(path):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    inside, width, density = tables()
    assert inside == [
        int(text.rstrip("UL"), 16) for text in numpy_table(source, "ki_double")
    ]
    assert width == [float(text) for text in numpy_table(source, "wi_double")]
    assert density == [float(text) for text in numpy_table(source, "fi_double")]
    for name, value in (("nor_r", EDGE), ("nor_inv_r", INVERSE_EDGE)):
        pattern = "double ziggurat_" + name + r" =\s*([0-9.]+);"
        assert float(re.search(pattern, source).group(1)) == value
    print("the tables are numpy's, bit for bit")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", metavar="FILE")
    path = parser.parse_args().check
    if path:
        check(path)
    else:
        print(header(), end="")
