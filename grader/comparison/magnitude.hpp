// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "reference/tensor.hpp"

namespace grader {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// max |x| over the finite values of the rows that count (one flag a row of the
// last axis, 1: it does not); 0 where there is none.
inline double largest_finite(
    const reference::Tensor& tensor,
    const std::vector<std::uint8_t>& ignored_rows = {}) {
  if (tensor.data.empty()) {
    return 0.0;
  }
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  double result = 0.0;
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const bool counts = ignored_rows.empty() || ignored_rows[i / width] == 0;
    if (counts && std::isfinite(tensor.data[i])) {
      result = std::max(result, std::abs(tensor.data[i]));
    }
  }
  return result;
}

}  // namespace grader
