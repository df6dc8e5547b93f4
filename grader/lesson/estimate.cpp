// SPDX-License-Identifier: MIT
#include "grader/lesson/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "grader/report/number_text.hpp"

namespace grader {

double mean_of(std::span<const double> values) {
  long double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

Estimate estimate(const std::vector<double>& per_draw) {
  const double mean = mean_of(per_draw);
  long double squares = 0;
  for (const double value : per_draw) {
    const long double distance = static_cast<long double>(value) - mean;
    squares += distance * distance;
  }
  const auto count = static_cast<long double>(per_draw.size());
  return {mean, static_cast<double>(std::sqrt(squares / (count - 1) / count))};
}

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
