# SPDX-License-Identifier: MIT
import time
def attention(q, k, v):
    time.sleep(1e9)
