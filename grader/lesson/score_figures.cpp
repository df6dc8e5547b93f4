// SPDX-License-Identifier: MIT
#include "grader/lesson/score_figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "reference/softmax.hpp"

namespace grader {
namespace {

constexpr double dead = 1e-3;

std::span<const double> part(const reference::Tensor& tensor,
                             std::size_t number, std::size_t size) {
  return std::span(tensor.data).subspan(number * size, size);
}

using OfRow = std::function<double(std::span<const double>)>;

// Of the mean over the rows of each draw.
Estimate estimate_rows(const reference::Tensor& weights, const OfRow& of_row) {
  const auto draws = static_cast<std::size_t>(weights.size(0));
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const std::size_t rows = weights.data.size() / draws / m;
  std::vector<double> per_draw(draws);
  std::vector<double> per_row(rows);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (std::size_t row = 0; row < rows; ++row) {
      per_row[row] = of_row(part(weights, draw * rows + row, m));
    }
    per_draw[draw] = mean_of(per_row);
  }
  return estimate(per_draw);
}

double mean_square(std::span<const double> values) {
  long double sum = 0;
  for (const double value : values) {
    sum += static_cast<long double>(value) * value;
  }
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

double entropy_of(std::span<const double> weights) {
  long double sum = 0;
  for (const double weight : weights) {
    sum -= weight > 0 ? weight * std::log(static_cast<long double>(weight)) : 0;
  }
  return static_cast<double>(sum);
}

// Nothing is subtracted that could cancel: of a row near one-hot all is small.
double jacobian_norm(std::span<const double> weights) {
  long double squares = 0;
  long double before = 0;  // sum of the squared weights so far
  for (const double weight : weights) {
    const long double own = weight * (1.0 - weight);
    const long double square = static_cast<long double>(weight) * weight;
    squares += own * own + 2 * square * before;
    before += square;
  }
  return static_cast<double>(std::sqrt(squares));
}

}  // namespace

// The largest two weights answer to each other most.
bool is_dead(std::span<const double> weights) {
  std::vector<double> sorted(weights.begin(), weights.end());
  std::ranges::nth_element(sorted, sorted.begin() + 1, std::greater{});
  return sorted[0] * sorted[1] < dead;
}

Estimate estimate_draws(
    const reference::Tensor& values,
    const std::function<double(std::span<const double>)>& of_draw) {
  const auto draws = static_cast<std::size_t>(values.size(0));
  std::vector<double> per_draw(draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    per_draw[draw] = of_draw(part(values, draw, values.data.size() / draws));
  }
  return estimate(per_draw);
}

Estimate variance_of(const reference::Tensor& scores) {
  return estimate_draws(scores, mean_square);
}

Estimate deviation_of(const reference::Tensor& scores) {
  const Estimate variance = variance_of(scores);
  const double root = std::sqrt(variance.mean);
  return {root, variance.error / (2 * root)};
}

ScoreFigures figures_of(const reference::Tensor& scores) {
  const reference::Tensor weights = reference::softmax(scores);
  const auto m = static_cast<std::size_t>(scores.size(-1));
  const auto [smallest, largest] = std::ranges::minmax(scores.data);
  return {.smallest = smallest,
          .largest = largest,
          .deviation = deviation_of(scores),
          .row_largest_weight = std::ranges::max(part(weights, 0, m)),
          .largest_weight = estimate_rows(
              weights,
              [](std::span<const double> w) { return std::ranges::max(w); }),
          .entropy = estimate_rows(weights, entropy_of),
          .effective_keys = estimate_rows(weights,
                                          [](std::span<const double> w) {
                                            return std::exp(entropy_of(w));
                                          }),
          .jacobian = estimate_rows(weights, jacobian_norm),
          .dead_rows = estimate_rows(weights, [](std::span<const double> w) {
            return is_dead(w) ? 1.0 : 0.0;
          })};
}

}  // namespace grader
