# SPDX-License-Identifier: MIT
import ctypes, os
libc = ctypes.CDLL(None)
if libc.mlockall(1) == 0 or libc.mq_open(b"/left", 0o102, 0o600, None) >= 0:
    print("REACHED: locked memory or a queue")
try:
    os.nice(-10)
    print("REACHED: a higher priority")
except OSError:
    pass
