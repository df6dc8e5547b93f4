# SPDX-License-Identifier: MIT
import os, signal
for target in (-1, os.getppid()):
    try:
        os.kill(target, signal.SIGKILL)
    except OSError:
        pass
