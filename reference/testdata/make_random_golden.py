#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random_golden.txt: what numpy.random.default_rng draws.

    python3 reference/testdata/make_random_golden.py \\
        > reference/testdata/random_golden.txt

Lines, seed first; each line starts with a new rng = default_rng(seed):

    raw SEED        rng.bit_generator.random_raw(4), decimal
    normal SEED     rng.standard_normal(4)
    uniform SEED    rng.random(4)
    checksum SEED   tails fnv
        draws = [rng.standard_normal(6000), rng.random(2000)]
        tails = number of normals beyond r, made by log1p
        fnv = 64-bit FNV-1a of the bytes of the 8000 draws, little endian, hex
"""

import numpy

EDGE = 3.6541528853610088  # r of the ziggurat
WRITTEN_OUT = [0, 1, 42, 2**32 - 1, 2**32, 2**64 - 1]
NORMALS = 6000
UNIFORMS = 2000


def seeds():
    """The edges of the one- and two-word seeds, then seeds of all sizes."""
    edges = [2**bits + step for bits in (31, 32, 33, 63) for step in (-1, 0, 1)]
    small = list(range(100))
    rng = numpy.random.default_rng(20260101)
    drawn = rng.integers(0, 2**64, 120, dtype=numpy.uint64)
    shifts = rng.integers(0, 60, 120, dtype=numpy.uint64)
    spread = [int(seed >> shift) for seed, shift in zip(drawn, shifts)]
    return sorted(set(small + edges + WRITTEN_OUT + spread))


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def checksum(seed):
    rng = numpy.random.default_rng(seed)
    normals = rng.standard_normal(NORMALS)
    uniforms = rng.random(UNIFORMS)
    data = normals.astype("<f8").tobytes() + uniforms.astype("<f8").tobytes()
    return int((abs(normals) > EDGE).sum()), fnv1a(data)


print("# numpy", numpy.__version__, "- written by make_random_golden.py")
for seed in WRITTEN_OUT:
    rng = numpy.random.default_rng
    print("raw", seed, *rng(seed).bit_generator.random_raw(4))
    print("normal", seed, *map(repr, rng(seed).standard_normal(4).tolist()))
    print("uniform", seed, *map(repr, rng(seed).random(4).tolist()))
for seed in seeds():
    tails, fnv = checksum(seed)
    print("checksum", seed, tails, f"{fnv:016x}")
