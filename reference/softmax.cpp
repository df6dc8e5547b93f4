// SPDX-License-Identifier: MIT
#include "reference/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace reference {
namespace {

// `allowed` has the shape of the scores, or is empty: everything is allowed.
Tensor softmax_of_rows(const Tensor& scores,
                       std::span<const std::uint8_t> allowed) {
  const auto m = static_cast<std::size_t>(scores.size(-1));
  Tensor weights(scores.shape);
  std::vector<long double> row(m);
  for (std::size_t start = 0; start < weights.data.size(); start += m) {
    const auto source = std::span(scores.data).subspan(start, m);
    std::copy(source.begin(), source.end(), row.begin());
    softmax_in_place(row,
                     allowed.empty() ? allowed : allowed.subspan(start, m));
    std::transform(row.begin(), row.end(),
                   weights.data.begin() + static_cast<std::ptrdiff_t>(start),
                   [](long double w) { return static_cast<double>(w); });
  }
  return weights;
}

}  // namespace

void softmax_in_place(std::span<long double> row,
                      std::span<const std::uint8_t> allowed) {
  const auto hidden = [&](std::size_t key) {
    return !allowed.empty() && allowed[key] == 0;
  };
  long double maximum = -std::numeric_limits<long double>::infinity();
  for (std::size_t key = 0; key < row.size(); ++key) {
    if (!hidden(key)) {
      maximum = std::max(maximum, row[key]);
    }
  }
  // A NaN escapes the maximum and is met again here, so the row becomes NaN.
  long double sum = 0;
  for (std::size_t key = 0; key < row.size(); ++key) {
    row[key] = hidden(key) ? 0 : std::exp(row[key] - maximum);
    sum += row[key];
  }
  // Only a row without an allowed key sums to 0: the largest score gives 1.
  for (long double& weight : row) {
    weight = sum == 0 ? 0 : weight / sum;
  }
}

Tensor softmax(const Tensor& scores) {
  return softmax_of_rows(scores, {});
}

Tensor masked_softmax(const Tensor& scores, const Mask& mask) {
  return softmax_of_rows(scores, broadcast_to(mask, scores.shape).data);
}

}  // namespace reference
