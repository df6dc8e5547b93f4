# SPDX-License-Identifier: MIT
"""Classes that build their own projections, called like functions of weights."""
