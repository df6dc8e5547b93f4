# SPDX-License-Identifier: MIT
import os
for number in range(1, 5000):
    if number != os.getpid():
        for name in ("mem", "maps", "environ", "fd/4"):
            try:
                open("/proc/%d/%s" % (number, name), "rb").read(1)
                print("REACHED: memory of", number)
            except OSError:
                pass
