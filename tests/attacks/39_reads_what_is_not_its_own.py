# SPDX-License-Identifier: MIT
import os
for path in ("@SECRET@", "/proc/1/root@SECRET@", "/proc/self/cwd/../../..@SECRET@",
             "../../../../../../..@SECRET@", "/etc/shadow", "/etc/hostname",
             "/root/.bashrc", "@GRADER@", "@FIXTURES@/cases/attention.json"):
    try:
        open(path, "rb").read(1)
        print("REACHED:", path)
    except OSError:
        pass
for number in range(3, 256):
    try:
        target = os.readlink("/proc/self/fd/%d" % number)
        if not target.startswith(("socket:", "/proc", "/dev/null")):
            print("REACHED: descriptor", number, target)
    except OSError:
        pass
