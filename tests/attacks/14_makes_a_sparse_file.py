# SPDX-License-Identifier: MIT
try:
    with open("sparse", "wb") as file:
        file.truncate(10 << 40)
    print("REACHED: a file of 10 TB")
except OSError:
    pass
