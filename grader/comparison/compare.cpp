// SPDX-License-Identifier: MIT
#include "grader/comparison/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/mask.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

double cell_error(double actual, double expected) {
  if (std::isfinite(actual) && std::isfinite(expected)) {
    return std::abs(actual - expected);
  }
  return std::isfinite(actual) == std::isfinite(expected)
             ? 0.0
             : std::numeric_limits<double>::infinity();
}

}  // namespace

IgnoredRows rows_without_keys(const Case& test_case) {
  const auto mask = effective_mask(test_case);
  if (!mask) {
    return {};
  }
  IgnoredRows rows;
  rows.weights = reference::empty_rows(*mask, scores_shape(test_case)).data;
  rows.output = output_rows(test_case, rows.weights);
  return rows;
}

std::vector<std::uint8_t> any_head(const std::vector<std::uint8_t>& rows,
                                   const Dimensions& dimensions) {
  const auto n = static_cast<std::size_t>(dimensions.n);
  const auto heads = static_cast<std::size_t>(dimensions.heads);
  std::vector<std::uint8_t> result(rows.size() / heads, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t batch = i / (heads * n);
    result[batch * n + i % n] |= rows[i];
  }
  return result;
}

std::vector<std::uint8_t> output_rows(
    const Case& test_case, const std::vector<std::uint8_t>& weight_rows) {
  return test_case.kind == Kind::multi_head_attention
             ? any_head(weight_rows, test_case.dimensions)
             : weight_rows;
}

CaseBasis make_basis(const Case& test_case) {
  return {.error_scale = measure_error_scale(test_case),
          .ignored = rows_without_keys(test_case)};
}

double max_error(const reference::Tensor& actual,
                 const reference::Tensor& expected,
                 const std::vector<std::uint8_t>& ignored_rows) {
  return max_sized_error(actual, expected, {}, ignored_rows);
}

double max_sized_error(const reference::Tensor& actual,
                       const reference::Tensor& expected,
                       const std::vector<double>& sizes,
                       const std::vector<std::uint8_t>& ignored_rows,
                       double enough) {
  if (expected.data.empty()) {
    return 0.0;
  }
  const auto width = static_cast<std::size_t>(expected.size(-1));
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.data.size() && worst < enough; ++i) {
    if (!ignored_rows.empty() && ignored_rows[i / width] != 0) {
      continue;
    }
    const double size = sizes.empty() ? 1.0 : sizes[i];
    worst =
        std::max(worst, cell_error(actual.data[i], expected.data[i]) / size);
  }
  return worst;
}

}  // namespace grader
