# SPDX-License-Identifier: MIT
import ctypes
libc = ctypes.CDLL(None)
for high in (0, 1 << 32):
    for request in (0x5412, 0x541C):
        if libc.ioctl(0, ctypes.c_ulong(high | request), b"x") == 0:
            print("REACHED: the terminal")
