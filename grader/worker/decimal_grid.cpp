// SPDX-License-Identifier: MIT
#include "grader/worker/decimal_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace grader {
namespace {

// Of numbers that are so large that their last digit hides the grid, and of 0
// and 1, nothing is asked.
std::vector<double> telling_numbers(
    const std::vector<const reference::Tensor*>& results, double largest) {
  std::vector<double> numbers;
  for (const reference::Tensor* result : results) {
    std::ranges::copy_if(
        result->data, std::back_inserter(numbers), [largest](double value) {
          return std::abs(value) <= largest && value != 0.0 && value != 1.0;
        });
  }
  return numbers;
}

bool is_grid(const std::vector<const reference::Tensor*>& results,
             double per_unit, double unit_roundoff) {
  constexpr std::size_t fewest = 32;
  constexpr double slack = 0.05;  // one number in ten is as near by chance
  const std::vector<double> numbers =
      telling_numbers(results, slack / (4.0 * unit_roundoff * per_unit));
  return numbers.size() >= fewest &&
         std::ranges::all_of(numbers, [per_unit](double value) {
           const double steps = value * per_unit;
           return std::abs(steps - std::nearbyint(steps)) <= slack;
         });
}

}  // namespace

double decimal_grid(const std::vector<const reference::Tensor*>& results,
                    double unit_roundoff) {
  if (is_grid(results, 1e3, unit_roundoff)) {
    return 0.0;
  }
  for (const double per_unit : {1e4, 1e5, 1e6}) {
    if (is_grid(results, per_unit, unit_roundoff)) {
      return 1.0 / per_unit;
    }
  }
  return 0.0;
}

}  // namespace grader
