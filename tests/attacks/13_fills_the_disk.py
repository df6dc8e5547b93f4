# SPDX-License-Identifier: MIT
import os
written = 0
try:
    for number in range(64):
        with open("/tmp/large%d" % number, "wb") as file:
            written += file.write(bytes(1 << 24))
            file.flush()
except OSError:
    pass
if written > 1 << 28:
    print("REACHED: a full disk")
