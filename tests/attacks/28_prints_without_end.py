# SPDX-License-Identifier: MIT
def attention(q, k, v):
    while True:
        print("x" * 65536)
