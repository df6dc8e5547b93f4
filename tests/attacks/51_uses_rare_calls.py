# SPDX-License-Identifier: MIT
import ctypes
libc = ctypes.CDLL(None)
for name, number in (("perf_event_open", 298), ("userfaultfd", 323),
                     ("keyctl", 250), ("add_key", 248), ("io_uring_setup", 425),
                     ("name_to_handle_at", 303), ("a call of the future", 599)):
    if libc.syscall(number, 0, 0, 0, 0, 0) >= 0:
        print("REACHED:", name)
