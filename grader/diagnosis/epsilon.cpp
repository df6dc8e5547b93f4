// SPDX-License-Identifier: MIT
#include "grader/diagnosis/epsilon.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/slope.hpp"

namespace grader {
namespace {

using reference::Tensor;

struct RowSums {
  double weights = 0.0;
  double exponentials = 0.0;  // sum(exp(z - max z)), at least 1
};

RowSums sum_row(const Tensor& weights, const Tensor& scores, double slope,
                const reference::Mask& keep, std::size_t start) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const auto allowed = [&](std::size_t cell) {
    return keep.data.empty() || keep.data[cell] != 0;
  };
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t cell = start; cell < start + m; ++cell) {
    if (allowed(cell)) {
      largest = std::max(largest, slope * scores.data[cell]);
    }
  }
  RowSums sums;
  for (std::size_t cell = start; cell < start + m; ++cell) {
    sums.weights += weights.data[cell];
    if (allowed(cell)) {
      sums.exponentials += std::exp(slope * scores.data[cell] - largest);
    }
  }
  return sums;
}

// W = e / (S + epsilon) and sum(W) = S / (S + epsilon).
void add_estimates(const Evidenced& evidenced, double slope,
                   std::vector<double>& estimates) {
  const Tensor& weights = *evidenced.observation->weights;
  const FormulaInputs& inputs = evidenced.prepared->inputs;
  const Tensor& scores = inputs.right_scores();
  const std::optional<reference::Mask>& mask = inputs.mask;
  const reference::Mask keep =
      mask ? reference::broadcast_to(*mask, scores.shape) : reference::Mask{};
  const auto& ignored = evidenced.prepared->basis.ignored.weights;
  const auto m = static_cast<std::size_t>(weights.size(-1));
  for (std::size_t row = 0; row * m < weights.data.size(); ++row) {
    if (ignored.empty() || ignored[row] == 0) {
      const RowSums sums = sum_row(weights, scores, slope, keep, row * m);
      estimates.push_back(sums.exponentials * (1.0 / sums.weights - 1.0));
    }
  }
}

}  // namespace

std::optional<double> fit_epsilon(const std::vector<Evidenced>& cases,
                                  DType precision) {
  const double u = unit_roundoff(precision);
  std::vector<double> estimates;
  for (const Evidenced& evidenced : cases) {
    const auto slope = fit_slope(evidenced);
    // A per-row factor leaves the slope alone and R^2 at 1.
    if (slope && slope->r2 > 1.0 - 1e-6 &&
        is_informative(*evidenced.prepared, u)) {
      add_estimates(evidenced, slope->value, estimates);
    }
  }
  if (estimates.size() < 8) {
    return std::nullopt;
  }
  std::ranges::nth_element(
      estimates,
      estimates.begin() + static_cast<std::ptrdiff_t>(estimates.size() / 2));
  const double median = estimates[estimates.size() / 2];
  // Sums of m weights are known to m u.
  const double visible = 64.0 * u;
  const bool one_value = std::ranges::all_of(estimates, [&](double estimate) {
    return std::abs(estimate - median) <= visible + 1e-3 * std::abs(median);
  });
  if (!one_value || median < 4.0 * u) {
    return std::nullopt;
  }
  return median;
}

}  // namespace grader
