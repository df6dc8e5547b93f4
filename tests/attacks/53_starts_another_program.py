# SPDX-License-Identifier: MIT
import os, subprocess
try:
    subprocess.run(["/bin/su", "-c", "echo REACHED"])
    print("REACHED: a program")
except OSError:
    pass
if os.system("true") == 0:
    print("REACHED: a shell")
