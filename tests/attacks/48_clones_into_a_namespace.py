# SPDX-License-Identifier: MIT
import ctypes
libc = ctypes.CDLL(None)
if libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0) >= 0:
    print("REACHED: a user namespace")
