# SPDX-License-Identifier: MIT
for path in ("/dev/shm/message", "/tmp/message", "/var/tmp/message"):
    try:
        open(path, "w").write("message")
    except OSError:
        pass
