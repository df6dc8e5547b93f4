// SPDX-License-Identifier: MIT
#include "grader/lesson/estimate_text.hpp"

#include <algorithm>
#include <cmath>

#include "grader/report/number_text.hpp"

namespace grader {

std::string text_of(const Estimate& estimate) {
  if (estimate.error == 0.0) {
    return significant(estimate.mean, 3);
  }
  constexpr double smallest_fixed = 1e-3;
  if (std::abs(estimate.mean) < smallest_fixed &&
      estimate.error < smallest_fixed) {
    return significant(estimate.mean) + " ± " + significant(estimate.error, 1);
  }
  constexpr int most_decimals = 4;
  const int decimals =
      std::clamp(1 - static_cast<int>(std::floor(std::log10(estimate.error))),
                 0, most_decimals);
  const bool is_shown = estimate.error >= std::pow(10.0, -decimals) / 2;
  return fixed(estimate.mean, decimals) + " ± " +
         (is_shown ? fixed(estimate.error, decimals)
                   : significant(estimate.error, 1));
}

}  // namespace grader
