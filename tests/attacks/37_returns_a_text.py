# SPDX-License-Identifier: MIT
def attention(q, k, v):
    return "weights"
