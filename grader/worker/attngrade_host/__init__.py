# SPDX-License-Identifier: MIT
"""The host of Python submissions."""


