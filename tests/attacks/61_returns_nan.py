# SPDX-License-Identifier: MIT
import numpy as np
def attention(q, k, v):
    output, weights = right(q, k, v)
    return output * np.nan, weights * np.nan
