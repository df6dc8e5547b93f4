// SPDX-License-Identifier: MIT
#include "grader/diagnosis/mask_fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace grader {
namespace {

using reference::Mask;
using reference::Tensor;

constexpr double least_visible = 1e-300;
constexpr double least_allowed = 1e-5;

// A hidden key h beside the heaviest allowed key a of its row, with
// z_h - z_a = log(W_h / W_a) and z_a = c s_a.
struct HiddenCell {
  double z;       // of the hidden key, as the weights have it
  double score;   // its raw score
  double factor;  // c: 1/sqrt(d_k), or as fitted
};

// The number that a form of filling has put there.
double fill_of(Fill form, const HiddenCell& cell) {
  switch (form) {
    case Fill::replaced_then_scaled:
      return cell.z / cell.factor;
    case Fill::added:
      return cell.z - cell.score * cell.factor;
    case Fill::added_then_scaled:
      return cell.z / cell.factor - cell.score;
    default:
      return cell.z;
  }
}

void add_row(const Evidenced& evidenced, const Mask& keep, double factor,
             std::size_t start, std::vector<HiddenCell>& cells) {
  const Tensor& weights = *evidenced.observation->weights;
  const Tensor& scores = evidenced.prepared->inputs.right_scores();
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const std::size_t end = start + m;
  std::size_t allowed = end;
  for (std::size_t cell = start; cell < end; ++cell) {
    const bool usable =
        keep.data[cell] != 0 && weights.data[cell] > least_allowed;
    if (usable &&
        (allowed == end || weights.data[cell] > weights.data[allowed])) {
      allowed = cell;
    }
  }
  if (allowed == end) {
    return;
  }
  for (std::size_t cell = start; cell < end; ++cell) {
    if (keep.data[cell] == 0 && weights.data[cell] > least_visible) {
      cells.push_back(
          {.z = std::log(weights.data[cell] / weights.data[allowed]) +
                scores.data[allowed] * factor,
           .score = scores.data[cell],
           .factor = factor});
    }
  }
}

bool has_row_weights(const Evidenced& evidenced) {
  const CaseObservation& observation = *evidenced.observation;
  return is_silent(observation) && has_deciding_weights(observation) &&
         observation.weights->shape ==
             evidenced.test_case().expected.weights.shape;
}

enum class Factor { right, fitted };

std::optional<double> factor_of(const Evidenced& evidenced, Factor factor) {
  if (factor == Factor::right) {
    return scale_factor(scales::by_sqrt_dk, evidenced.test_case().dimensions);
  }
  const std::optional<Slope>& slope = evidenced.slope;
  return slope && slope->value != 0.0 ? std::optional<double>(slope->value)
                                      : std::nullopt;
}

std::vector<HiddenCell> hidden_cells(const std::vector<Evidenced>& cases,
                                     Factor factor) {
  std::vector<HiddenCell> cells;
  for (const Evidenced& evidenced : cases) {
    const std::optional<Mask>& mask = evidenced.prepared->inputs.mask;
    if (!mask || !has_row_weights(evidenced)) {
      continue;
    }
    const auto c = factor_of(evidenced, factor);
    const Tensor& weights = *evidenced.observation->weights;
    const Mask keep = reference::broadcast_to(*mask, weights.shape);
    const auto m = static_cast<std::size_t>(weights.size(-1));
    for (std::size_t start = 0; c && start < keep.data.size(); start += m) {
      add_row(evidenced, keep, *c, start, cells);
    }
  }
  return cells;
}

// People write whole numbers (-30, -1e4) and powers of ten (1e-9).
double as_people_write(double fill) {
  const double whole = std::round(fill);
  if (std::abs(fill - whole) <= 1e-6 * std::abs(fill)) {
    return whole;
  }
  if (fill == 0.0) {
    return fill;
  }
  const double power = std::copysign(
      std::pow(10.0, std::round(std::log10(std::abs(fill)))), fill);
  return std::abs(fill - power) <= 1e-5 * std::abs(power) ? power : fill;
}

// The one fill of that form, if most cells agree: log W loses digits where W is
// small, scores where they are large.
std::optional<double> fit_fill(Fill form,
                               const std::vector<HiddenCell>& cells) {
  std::vector<double> fills;
  fills.reserve(cells.size());
  for (const HiddenCell& cell : cells) {
    fills.push_back(fill_of(form, cell));
  }
  const auto middle =
      fills.begin() + static_cast<std::ptrdiff_t>(fills.size() / 2);
  std::ranges::nth_element(fills, middle);
  const double median = *middle;
  const auto agreeing =
      std::ranges::count_if(cells, [&](const HiddenCell& cell) {
        const double close =
            1e-6 * (std::max(1.0, std::abs(median)) + std::abs(cell.score));
        return std::abs(fill_of(form, cell) - median) <= close;
      });
  // Rounding leaves 0 a little off.
  constexpr double nothing = 1e-12;
  if (static_cast<std::size_t>(agreeing) * 2 <= cells.size()) {
    return std::nullopt;
  }
  return std::abs(median) < nothing ? 0.0 : as_people_write(median);
}

bool is_added(Fill form) {
  return form == Fill::added || form == Fill::added_then_scaled;
}

// nullptr: an added 0 is a mask ignored, which has a name of its own.
const char* name_of(Fill form, double fill) {
  constexpr double tiny = 1e-3;
  if (is_added(form) && fill == -1.0) {
    return "mask-added";
  }
  if (fill == 0.0) {
    return is_added(form) ? nullptr : "mask-zero-fill";
  }
  if (std::abs(fill) <= tiny) {
    return "mask-tiny-fill";
  }
  return form == Fill::added_then_scaled ? "scale-mask-too" : "mask-weak-fill";
}

std::vector<Hypothesis> fit_forms(const std::vector<HiddenCell>& cells) {
  std::vector<Hypothesis> hypotheses;
  if (cells.empty()) {
    return hypotheses;
  }
  constexpr std::array forms = {Fill::replaced, Fill::added,
                                Fill::added_then_scaled,
                                Fill::replaced_then_scaled};
  for (const Fill form : forms) {
    const auto fill = fit_fill(form, cells);
    const char* name = fill ? name_of(form, *fill) : nullptr;
    if (name != nullptr) {
      hypotheses.push_back(
          {{name}, {.fill_form = form, .fill = *fill, .is_fitted = true}, {}});
    }
  }
  return hypotheses;
}

}  // namespace

FittedFills fitted_fills(const std::vector<Evidenced>& cases) {
  FittedFills fills{fit_forms(hidden_cells(cases, Factor::right)), {}};
  const auto tiny =
      std::ranges::partition(fills.clear, [](const Hypothesis& fill) {
        return fill.faults.front() != "mask-tiny-fill";
      });
  fills.tiny.assign(tiny.begin(), tiny.end());
  fills.clear.erase(tiny.begin(), tiny.end());
  return fills;
}

std::vector<Hypothesis> fitted_fills_with_scales(
    const std::vector<Evidenced>& cases,
    const std::vector<Hypothesis>& singles) {
  std::vector<Hypothesis> pairs;
  const Formula right;
  for (const Hypothesis& fill :
       fit_forms(hidden_cells(cases, Factor::fitted))) {
    for (const Hypothesis& single : singles) {
      if (single.formula.scale != right.scale &&
          are_independent(single.formula, fill.formula)) {
        pairs.push_back({{single.faults.front(), fill.faults.front()},
                         combine(single.formula, fill.formula),
                         {}});
      }
    }
  }
  return pairs;
}

}  // namespace grader
