# SPDX-License-Identifier: MIT
import ctypes
def attention(q, k, v):
    ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None)
    print("REACHED: mount")
