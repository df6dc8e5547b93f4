# SPDX-License-Identifier: MIT
import os
def attention(q, k, v):
    os.closerange(3, 256)
    while True:
        pass
