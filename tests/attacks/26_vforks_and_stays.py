# SPDX-License-Identifier: MIT
import ctypes
if ctypes.CDLL(None).syscall(58) >= 0:
    print("REACHED: vfork")
