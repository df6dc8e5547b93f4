// SPDX-License-Identifier: MIT
#include "helpers.hpp"

#include <algorithm>
#include <cmath>

void softmax(double* row, std::int64_t count) {
  const double top = *std::max_element(row, row + count);
  double total = 0.0;
  std::for_each(row, row + count, [&](double& x) {
    x = std::exp(x - top);
    total += x;
  });
  std::for_each(row, row + count, [&](double& x) { x /= total; });
}
