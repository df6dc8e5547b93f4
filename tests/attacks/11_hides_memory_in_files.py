# SPDX-License-Identifier: MIT
import os
try:
    file = os.memfd_create("hoard")
    for _ in range(32):
        os.write(file, bytearray(1 << 24))
    print("REACHED: memory that no limit counts")
except OSError:
    pass
