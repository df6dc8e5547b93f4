// SPDX-License-Identifier: MIT
#include "grader/diagnosis/mask_fill.hpp"

#include <algorithm>
#include <cmath>

namespace grader {
namespace {

constexpr double least_visible = 1e-300;
constexpr double least_allowed = 1e-5;

// log(W_h / W_a) = (s_h + f - s_a) / sqrt(d_k) for a hidden key h and an
// allowed key a of the same row.
void add_row(const Evidenced& evidenced, const reference::Mask& keep,
             std::size_t start, std::vector<double>& fills) {
  const reference::Tensor& weights = *evidenced.observation->weights;
  const reference::Tensor& scores = evidenced.prepared->inputs.right_scores();
  const auto m = static_cast<std::size_t>(weights.size(-1));
  std::size_t allowed = start + m;
  for (std::size_t cell = start; cell < start + m; ++cell) {
    const bool usable =
        keep.data[cell] != 0 && weights.data[cell] > least_allowed;
    if (usable &&
        (allowed == start + m || weights.data[cell] > weights.data[allowed])) {
      allowed = cell;
    }
  }
  if (allowed == start + m) {
    return;
  }
  const double root =
      std::sqrt(static_cast<double>(evidenced.test_case().dimensions.d_k));
  for (std::size_t cell = start; cell < start + m; ++cell) {
    if (keep.data[cell] == 0 && weights.data[cell] > least_visible) {
      fills.push_back(root *
                          std::log(weights.data[cell] / weights.data[allowed]) -
                      scores.data[cell] + scores.data[allowed]);
    }
  }
}

}  // namespace

std::optional<double> fit_scaled_fill(const std::vector<Evidenced>& cases) {
  std::vector<double> fills;
  for (const Evidenced& evidenced : cases) {
    const std::optional<reference::Mask>& mask =
        evidenced.prepared->inputs.mask;
    const CaseObservation& observation = *evidenced.observation;
    if (!mask || !is_silent(observation) || !observation.weights) {
      continue;
    }
    const reference::Mask keep =
        reference::broadcast_to(*mask, observation.weights->shape);
    const auto m = static_cast<std::size_t>(observation.weights->size(-1));
    for (std::size_t start = 0; start < keep.data.size(); start += m) {
      add_row(evidenced, keep, start, fills);
    }
  }
  if (fills.empty()) {
    return std::nullopt;
  }
  const auto middle =
      fills.begin() + static_cast<std::ptrdiff_t>(fills.size() / 2);
  std::ranges::nth_element(fills, middle);
  // People write whole numbers: -30, -1e4.
  const double nearest = std::round(*middle);
  return std::abs(*middle - nearest) <= 1e-6 * std::abs(*middle) ? nearest
                                                                 : *middle;
}

std::vector<Hypothesis> fitted_fills(const std::vector<Evidenced>& cases) {
  // Near 0 the mask is ignored, at -1 a 0/1 mask is added: other faults.
  constexpr double weakest_fill = -2.0;
  const auto fill = fit_scaled_fill(cases);
  if (!fill || *fill > weakest_fill) {
    return {};
  }
  return {{{"scale-mask-too"},
           {.fill_form = Fill::added_then_scaled,
            .fill = *fill,
            .is_fitted = true},
           {}}};
}

}  // namespace grader
