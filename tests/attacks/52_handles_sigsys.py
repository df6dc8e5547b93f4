# SPDX-License-Identifier: MIT
import ctypes, signal
signal.signal(signal.SIGSYS, lambda number, frame: None)
if ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0:
    print("REACHED: a shared segment")
