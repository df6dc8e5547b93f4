# SPDX-License-Identifier: MIT
"""Starts the host. Not by -m: the folder must not stay on the search path."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from attngrade_host.libraries import preload  # noqa: E402
from attngrade_host.serve import serve  # noqa: E402
sys.path.pop(0)

serve(preload(sys.argv[1:]))
