# SPDX-License-Identifier: MIT
import ctypes
def attention(q, k, v):
    ctypes.CDLL(None).process_vm_writev(1, None, 0, None, 0, 0)
    print("REACHED: process_vm_writev")
