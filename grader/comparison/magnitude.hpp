// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/tensor.hpp"

namespace grader {

// max |x| over the finite values; 0 where there is none.
inline double largest_finite(const reference::Tensor& tensor) {
  double result = 0.0;
  for (const double value : tensor.data) {
    if (std::isfinite(value)) {
      result = std::max(result, std::abs(value));
    }
  }
  return result;
}

}  // namespace grader
