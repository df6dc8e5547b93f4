// SPDX-License-Identifier: MIT
#include "grader/example/mismatch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/comparison/compare.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Infinite where one of the numbers is not finite.
double row_error(const Tensor& actual, const Tensor& expected,
                 std::size_t row) {
  const auto width = static_cast<std::size_t>(expected.size(-1));
  double worst = 0.0;
  for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
    if (!std::isfinite(actual.data[i])) {
      return std::numeric_limits<double>::infinity();
    }
    worst = std::max(worst, std::abs(actual.data[i] - expected.data[i]));
  }
  return worst;
}

struct Comparison {
  std::string what;
  const std::optional<Tensor>& actual;
  const Tensor& expected;
  const std::vector<std::uint8_t>& ignored_rows;
};

std::optional<Mismatch> worst_row(const Comparison& compared, double least) {
  std::optional<Mismatch> worst;
  if (!compared.actual) {
    return worst;
  }
  const auto width = static_cast<std::size_t>(compared.expected.size(-1));
  for (std::size_t row = 0; row < compared.expected.data.size() / width;
       ++row) {
    const bool is_ignored =
        !compared.ignored_rows.empty() && compared.ignored_rows[row] != 0;
    const double error = row_error(*compared.actual, compared.expected, row);
    const bool is_finite = std::isfinite(error);
    const bool is_better =
        !worst || (is_finite && (!worst->is_finite || error > worst->error));
    if (!is_ignored && error > least && is_better) {
      worst = Mismatch{compared.what, row, error, is_finite, {}};
    }
  }
  if (worst) {
    worst->actual = *compared.actual;
  }
  return worst;
}

}  // namespace

std::optional<Mismatch> find_mismatch(const CaseObservation& observation,
                                      double least) {
  const Case& small = *observation.test_case;
  const IgnoredRows ignored = rows_without_keys(small);
  auto weights = worst_row(
      {"weights", observation.weights, small.expected.weights, ignored.weights},
      least);
  if (weights && weights->is_finite) {
    return weights;
  }
  auto output = worst_row(
      {"output", observation.output, small.expected.output, ignored.output},
      least);
  const bool output_shows_more = output && (output->is_finite || !weights);
  return output_shows_more ? output : weights;
}

}  // namespace grader
