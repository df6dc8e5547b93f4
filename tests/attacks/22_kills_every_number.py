# SPDX-License-Identifier: MIT
import os, signal
for number in range(1, 70000):
    if number != os.getpid():
        try:
            os.kill(number, signal.SIGKILL)
            if number > 1:
                print("REACHED: process", number)
        except OSError:
            pass
