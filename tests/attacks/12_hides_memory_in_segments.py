# SPDX-License-Identifier: MIT
import ctypes
libc = ctypes.CDLL(None)
if libc.shmget(0, 1 << 20, 0o1600) >= 0:
    print("REACHED: a shared segment")
