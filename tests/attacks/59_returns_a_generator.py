# SPDX-License-Identifier: MIT
def attention(q, k, v):
    yield q
