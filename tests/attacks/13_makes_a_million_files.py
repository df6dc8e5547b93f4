# SPDX-License-Identifier: MIT
made = 0
try:
    for made in range(1000000):
        open("/tmp/empty%d" % made, "w").close()
except OSError:
    pass
if made > 100000:
    print("REACHED: many files")
