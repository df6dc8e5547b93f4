# SPDX-License-Identifier: MIT
import re
def attention(q, k, v):
    re.match(r"(a+)+$", "a" * 64 + "b")
