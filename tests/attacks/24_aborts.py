# SPDX-License-Identifier: MIT
import os
def attention(q, k, v):
    os.abort()
