# SPDX-License-Identifier: MIT
"""The libraries that the host itself needs."""

try:
    import numpy
except Exception:  # broken is as good as missing
    numpy = None
