# SPDX-License-Identifier: MIT
import os, time
try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1e9)
        os._exit(0)
    print("REACHED: fork")
except OSError:
    pass
