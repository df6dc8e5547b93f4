// SPDX-License-Identifier: MIT
// Results that were rounded for printing, `np.round(output, 4)`.
#pragma once

#include <vector>

#include "reference/tensor.hpp"

namespace grader {

// The largest of 1e-4, 1e-5 and 1e-6 of which all numbers are multiples, as far
// as `unit_roundoff` can tell. 0 where none is, where 1e-3 is one as well, and
// where there are fewer than 32 numbers to tell it by: not 0, 1 and numbers so
// large that they have no digit there.
double decimal_grid(const std::vector<const reference::Tensor*>& results,
                    double unit_roundoff);

}  // namespace grader
