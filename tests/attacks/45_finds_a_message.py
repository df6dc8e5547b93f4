# SPDX-License-Identifier: MIT
import os
for path in ("/dev/shm/message", "/tmp/message", "/var/tmp/message"):
    if os.path.exists(path):
        print("REACHED:", path)
