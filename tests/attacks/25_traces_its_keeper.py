# SPDX-License-Identifier: MIT
import ctypes
def attention(q, k, v):
    ctypes.CDLL(None).ptrace(16, 1, 0, 0)
    print("REACHED: ptrace")
