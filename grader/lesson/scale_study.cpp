// SPDX-License-Identifier: MIT
#include "grader/lesson/scale_study.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "grader/diagnosis/rounding.hpp"
#include "reference/random.hpp"
#include "reference/softmax.hpp"

namespace grader {
namespace {

Estimate largest_difference(const reference::Tensor& a,
                            const reference::Tensor& b) {
  return estimate_draws(
      reference::add(a, reference::scale(b, -1.0)),
      [](std::span<const double> differences) {
        return std::abs(std::ranges::max(
            differences, {}, [](double value) { return std::abs(value); }));
      });
}

RoundingFigures in_float16(const reference::Tensor& scores) {
  const reference::Tensor half = rounded(scores, DType::float16);
  return {
      largest_difference(half, scores),
      largest_difference(reference::softmax(half), reference::softmax(scores))};
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
