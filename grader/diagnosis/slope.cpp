// SPDX-License-Identifier: MIT
#include "grader/diagnosis/slope.hpp"

#include <algorithm>
#include <cmath>

namespace grader {
namespace {

using reference::Tensor;

constexpr double smallest_weight = 1e-5;

struct Sums {
  long double xx = 0.0L;
  long double xy = 0.0L;
  long double yy = 0.0L;
  int degrees = 0;  // cells minus one mean a row
};

struct Point {
  double score;
  double log_weight;
};

void add_row(const std::vector<Point>& row, Sums& sums) {
  if (row.size() < 2) {
    return;
  }
  long double mean_x = 0.0L;
  long double mean_y = 0.0L;
  for (const Point& point : row) {
    mean_x += point.score;
    mean_y += point.log_weight;
  }
  mean_x /= static_cast<long double>(row.size());
  mean_y /= static_cast<long double>(row.size());
  for (const Point& point : row) {
    const long double x = point.score - mean_x;
    const long double y = point.log_weight - mean_y;
    sums.xx += x * x;
    sums.xy += x * y;
    sums.yy += y * y;
  }
  sums.degrees += static_cast<int>(row.size()) - 1;
}

std::vector<Point> usable_cells(const Tensor& scores, const Tensor& weights,
                                const reference::Mask& keep, std::size_t row) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  std::vector<Point> points;
  for (std::size_t cell = row * m; cell < (row + 1) * m; ++cell) {
    const double weight = weights.data[cell];
    if (std::isfinite(weight) && weight > smallest_weight &&
        (keep.data.empty() || keep.data[cell] != 0)) {
      points.push_back({scores.data[cell], std::log(weight)});
    }
  }
  return points;
}

std::optional<Slope> finish(const Sums& sums) {
  if (sums.degrees < 2 || sums.xx <= 0.0L || sums.yy <= 0.0L) {
    return std::nullopt;
  }
  const long double slope = sums.xy / sums.xx;
  const long double residual =
      std::max(0.0L, sums.yy - slope * sums.xy) / (sums.degrees - 1);
  return Slope{
      .value = static_cast<double>(slope),
      .standard_error = static_cast<double>(std::sqrt(residual / sums.xx)),
      .r2 = static_cast<double>(slope * sums.xy / sums.yy)};
}

}  // namespace

std::optional<Slope> fit_slope(const PreparedCase& prepared,
                               const CaseObservation& observation) {
  if (!is_silent(observation) || !observation.weights) {
    return std::nullopt;
  }
  const FormulaInputs& inputs = prepared.inputs;
  const Tensor& scores = inputs.right_scores();
  const std::optional<reference::Mask>& mask = inputs.mask;
  const reference::Mask keep =
      mask ? reference::broadcast_to(*mask, scores.shape) : reference::Mask{};
  const auto rows =
      scores.data.size() / static_cast<std::size_t>(scores.size(-1));
  Sums sums;
  for (std::size_t row = 0; row < rows; ++row) {
    add_row(usable_cells(scores, *observation.weights, keep, row), sums);
  }
  return finish(sums);
}

Evidenced gather_evidence(const PreparedCase& prepared,
                          const CaseObservation& observation) {
  return {.prepared = &prepared,
          .observation = &observation,
          .slope = fit_slope(prepared, observation)};
}

}  // namespace grader
