// SPDX-License-Identifier: MIT
#include "grader/lesson/scale_study.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "grader/diagnosis/rounding.hpp"
#include "reference/random.hpp"
#include "reference/softmax.hpp"

namespace grader {
namespace {

constexpr double dead = 1e-3;

std::span<const double> part(const reference::Tensor& tensor,
                             std::size_t number, std::size_t size) {
  return std::span(tensor.data).subspan(number * size, size);
}

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

using OfRow = std::function<double(std::span<const double>)>;

// Of the mean over the rows of each draw.
Estimate estimate_rows(const reference::Tensor& weights, const OfRow& of_row) {
  const auto draws = static_cast<std::size_t>(weights.size(0));
  const auto n = static_cast<std::size_t>(weights.size(-1));
  std::vector<double> per_draw(draws);
  std::vector<double> per_row(n);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (std::size_t row = 0; row < n; ++row) {
      per_row[row] = of_row(part(weights, draw * n + row, n));
    }
    per_draw[draw] = mean_of(per_row);
  }
  return estimate(per_draw);
}

// Of one number of each draw's scores.
Estimate estimate_draws(const reference::Tensor& scores, const OfRow& of_draw) {
  const auto draws = static_cast<std::size_t>(scores.size(0));
  std::vector<double> per_draw(draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    per_draw[draw] = of_draw(part(scores, draw, scores.data.size() / draws));
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

// The largest two weights answer to each other most.
bool is_dead(std::span<const double> weights) {
  std::vector<double> sorted(weights.begin(), weights.end());
  std::ranges::nth_element(sorted, sorted.begin() + 1, std::greater{});
  return sorted[0] * sorted[1] < dead;
}

Estimate variance_of(const reference::Tensor& scores) {
  return estimate_draws(scores, mean_square);
}

Estimate root_of(Estimate variance) {
  const double root = std::sqrt(variance.mean);
  return {root, variance.error / (2 * root)};
}

double largest_difference(std::span<const double> a,
                          std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

Estimate estimate_difference(const reference::Tensor& a,
                             const reference::Tensor& b) {
  const auto draws = static_cast<std::size_t>(a.size(0));
  const std::size_t size = a.data.size() / draws;
  std::vector<double> per_draw(draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    per_draw[draw] =
        largest_difference(part(a, draw, size), part(b, draw, size));
  }
  return estimate(per_draw);
}

RoundingFigures in_float16(const reference::Tensor& scores) {
  const reference::Tensor half = rounded(scores, DType::float16);
  return {estimate_difference(half, scores),
          estimate_difference(reference::softmax(half),
                              reference::softmax(scores))};
}

ScaleOutcome try_scale(const std::string& name, double factor,
                       const reference::Tensor& raw) {
  const reference::Tensor scores = reference::scale(raw, factor);
  return {name, factor, figures_of(scores), in_float16(scores)};
}

WidthOutcome try_width(const ScaleSettings& settings, std::int64_t width) {
  const reference::Tensor raw = draw_scores(settings, width);
  const reference::Tensor scaled =
      reference::scale(raw, 1.0 / std::sqrt(static_cast<double>(width)));
  return {width, variance_of(raw), variance_of(scaled), figures_of(raw),
          figures_of(scaled)};
}

Estimate slope_of(const std::vector<WidthOutcome>& widths,
                  Estimate WidthOutcome::*variance) {
  std::vector<long double> weights;
  long double weighted_x = 0;
  long double sum = 0;
  for (const WidthOutcome& width : widths) {
    const Estimate& one = width.*variance;
    const long double ratio = static_cast<long double>(one.mean) / one.error;
    weights.push_back(ratio * ratio);
    weighted_x +=
        weights.back() * std::log(static_cast<long double>(width.d_k));
    sum += weights.back();
  }
  long double products = 0;
  long double squares = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const long double x =
        std::log(static_cast<long double>(widths[i].d_k)) - weighted_x / sum;
    products += weights[i] * x *
                std::log(static_cast<long double>((widths[i].*variance).mean));
    squares += weights[i] * x * x;
  }
  return {static_cast<double>(products / squares),
          static_cast<double>(1 / std::sqrt(squares))};
}

}  // namespace

reference::Tensor draw_scores(const ScaleSettings& settings,
                              std::int64_t width) {
  reference::Random random(settings.seed + static_cast<std::uint64_t>(width));
  const reference::Shape shape = {settings.draws, settings.n, width};
  const reference::Tensor q = random.standard_normal(shape);
  const reference::Tensor k = random.standard_normal(shape);
  return reference::matmul(q, reference::swap_last_axes(k));
}

ScoreFigures figures_of(const reference::Tensor& scores) {
  const reference::Tensor weights = reference::softmax(scores);
  const auto n = static_cast<std::size_t>(scores.size(-1));
  const auto [smallest, largest] = std::ranges::minmax(scores.data);
  return {.smallest = smallest,
          .largest = largest,
          .deviation = root_of(variance_of(scores)),
          .row_largest_weight = std::ranges::max(part(weights, 0, n)),
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

ScaleStudy study_scale(const ScaleSettings& settings) {
  const auto d_k = static_cast<double>(settings.d_k);
  const reference::Tensor raw = draw_scores(settings, settings.d_k);
  ScaleStudy study;
  study.settings = settings;
  study.scales = {try_scale("none", 1.0, raw),
                  try_scale("1/sqrt(d_k)", 1.0 / std::sqrt(d_k), raw),
                  try_scale("1/d_k", 1.0 / d_k, raw)};
  for (std::int64_t width = 1; width <= widest_of_study; width *= 2) {
    study.widths.push_back(try_width(settings, width));
  }
  study.raw_slope = slope_of(study.widths, &WidthOutcome::variance);
  study.scaled_slope = slope_of(study.widths, &WidthOutcome::scaled_variance);
  return study;
}

}  // namespace grader
