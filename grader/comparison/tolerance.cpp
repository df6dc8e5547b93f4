// SPDX-License-Identifier: MIT
#include "grader/comparison/tolerance.hpp"

#include <algorithm>
#include <cmath>

#include "grader/fixture/argument.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

reference::Tensor magnitudes(reference::Tensor tensor) {
  for (double& value : tensor.data) {
    value = std::abs(value);
  }
  return tensor;
}

double largest(const reference::Tensor& tensor) {
  double result = 0.0;
  for (const double value : tensor.data) {
    result = std::max(result, std::abs(value));
  }
  return result;
}

// |x| |w|: what the rounding errors of x @ w are proportional to.
reference::Tensor projection_magnitude(const Case& test_case,
                                       const char* weight) {
  return reference::matmul(magnitudes(argument(test_case, "x")),
                           magnitudes(argument(test_case, weight)));
}

double largest_column_sum(const reference::Tensor& matrix) {
  const std::int64_t columns = matrix.size(-1);
  double result = 0.0;
  for (std::int64_t column = 0; column < columns; ++column) {
    double sum = 0.0;
    for (std::size_t i = static_cast<std::size_t>(column);
         i < matrix.data.size(); i += static_cast<std::size_t>(columns)) {
      sum += std::abs(matrix.data[i]);
    }
    result = std::max(result, sum);
  }
  return result;
}

ErrorScale measure_projected(const Case& test_case) {
  reference::Tensor q = projection_magnitude(test_case, "w_q");
  reference::Tensor k = projection_magnitude(test_case, "w_k");
  const reference::Tensor v = projection_magnitude(test_case, "w_v");
  ErrorScale scale;
  scale.output = largest(v);
  if (test_case.kind == Kind::multi_head_attention) {
    q = reference::split_heads(q, test_case.dimensions.heads);
    k = reference::split_heads(k, test_case.dimensions.heads);
    scale.output *= largest_column_sum(argument(test_case, "w_o"));
  }
  const auto width = static_cast<double>(test_case.dimensions.d_k);
  scale.score = largest(reference::matmul(q, reference::swap_last_axes(k))) /
                std::sqrt(width);
  return scale;
}

}  // namespace

ErrorScale measure_error_scale(const Case& test_case) {
  switch (test_case.kind) {
    case Kind::self_attention:
    case Kind::multi_head_attention:
      return measure_projected(test_case);
    case Kind::attention:
    case Kind::grouped_query_attention:
      break;
  }
  return {.score = max_abs_score(test_case),
          .output = largest(argument(test_case, "v"))};
}

Tolerance derive_tolerance(const ErrorScale& scale, double unit_roundoff) {
  const double weights = 4.0 * unit_roundoff * (4.0 + scale.score);
  return {.weights = weights, .output = 2.0 * weights * scale.output};
}

}  // namespace grader
