// SPDX-License-Identifier: MIT
#include "grader/diagnosis/masking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "grader/comparison/magnitude.hpp"
#include "reference/mask.hpp"

namespace grader {
namespace {

using reference::Mask;
using reference::Shape;
using reference::Tensor;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double large_negative = -1e9;

Mask from_tensor(const Tensor& tensor) {
  Mask mask{tensor.shape, {}};
  mask.data.reserve(tensor.data.size());
  for (const double value : tensor.data) {
    mask.data.push_back(value != 0.0 ? 1 : 0);
  }
  return mask;
}

Tensor to_tensor(const Mask& mask) {
  return Tensor(mask.shape,
                std::vector<double>(mask.data.begin(), mask.data.end()));
}

Mask invert(Mask mask) {
  for (std::uint8_t& cell : mask.data) {
    cell = cell == 0 ? 1 : 0;
  }
  return mask;
}

Mask swap_axes(const Mask& mask) {
  return from_tensor(reference::swap_last_axes(to_tensor(mask)));
}

Mask reverse(const Mask& mask) {
  return from_tensor(reference::reverse_axes(to_tensor(mask)));
}

Mask as_column(const Mask& mask) {
  if (mask.shape.size() > 1) {
    return swap_axes(mask);
  }
  return {{mask.shape[0], 1}, mask.data};
}

// mask[0]
Mask first_entry(const Mask& mask) {
  if (mask.shape.size() < 2) {
    throw std::invalid_argument("mask[0] of one axis is a number");
  }
  Mask first{Shape(mask.shape.begin() + 1, mask.shape.end()), {}};
  first.data.assign(mask.data.begin(),
                    mask.data.begin() + reference::element_count(first.shape));
  return first;
}

// Memory of (n, m) read as (m, n).
Mask read_transposed(const Mask& mask, const Case& test_case) {
  const Shape shape = scores_shape(test_case);
  const Mask full = reference::broadcast_to(mask, shape);
  const auto n = static_cast<std::size_t>(shape[shape.size() - 2]);
  const auto m = static_cast<std::size_t>(shape.back());
  Mask result = full;
  for (std::size_t cell = 0; cell < full.data.size(); ++cell) {
    const std::size_t start = cell / (n * m) * n * m;
    const std::size_t i = cell % (n * m) / m;
    const std::size_t j = cell % m;
    result.data[cell] = full.data[start + j * n + i];
  }
  return result;
}

Mask first_batch(const Mask& mask, const Case& test_case) {
  const bool has_batch = test_case.dimensions.batch != 0 &&
                         mask.shape.size() == scores_shape(test_case).size();
  return has_batch ? first_entry(mask) : mask;
}

// Entry (b, h) wears the mask of another one; `tiled` picks the direction.
Mask misorder_heads(const Mask& mask, bool tiled, const Case& test_case) {
  const Shape shape = scores_shape(test_case);
  const Mask full = reference::broadcast_to(mask, shape);
  if (shape.size() < 4) {
    return full;
  }
  const std::int64_t batch = shape[0];
  const std::int64_t heads = shape[1];
  const std::int64_t matrix = shape[2] * shape[3];
  Mask result = full;
  for (std::int64_t entry = 0; entry < batch * heads; ++entry) {
    const std::int64_t b = entry / heads;
    const std::int64_t h = entry % heads;
    const std::int64_t from =
        tiled ? entry % batch * heads + entry / batch : h * batch + b;
    std::copy_n(full.data.begin() + from * matrix, matrix,
                result.data.begin() + entry * matrix);
  }
  return result;
}

// (n, m), 1 where `sees(query, key)`
template <typename Sees>
Mask by_position(const Dimensions& dimensions, Sees sees) {
  Mask mask{{dimensions.n, dimensions.m}, {}};
  for (std::int64_t i = 0; i < dimensions.n; ++i) {
    for (std::int64_t j = 0; j < dimensions.m; ++j) {
      mask.data.push_back(sees(i, j) ? 1 : 0);
    }
  }
  return mask;
}

Mask both(const std::optional<Mask>& a, const Mask& b) {
  return a ? reference::both(*a, b) : b;
}

double filled(const Formula& formula, double score, double factor) {
  switch (formula.fill_form) {
    case Fill::minus_infinity:
      return -infinity;
    case Fill::large_negative:
      return large_negative;
    case Fill::large_negative_added:
      return score * factor + large_negative;
    case Fill::replaced:
      return formula.fill;
    case Fill::replaced_then_scaled:
      return formula.fill * factor;
    case Fill::added:
      return score * factor + formula.fill;
    case Fill::added_then_scaled:
      return (score + formula.fill) * factor;
    case Fill::nan_where_kept:
      return -infinity;
    case Fill::nan_where_hidden:
      return not_a_number;
    case Fill::after_softmax:
    case Fill::minus_infinity_after_softmax:
    case Fill::large_negative_after_softmax:
      break;
  }
  return score * factor;
}

std::optional<double> weight_after_softmax(Fill fill) {
  switch (fill) {
    case Fill::after_softmax:
      return 0.0;
    case Fill::minus_infinity_after_softmax:
      return -infinity;
    case Fill::large_negative_after_softmax:
      return large_negative;
    case Fill::minus_infinity:
    case Fill::large_negative:
    case Fill::large_negative_added:
    case Fill::replaced:
    case Fill::replaced_then_scaled:
    case Fill::added:
    case Fill::added_then_scaled:
    case Fill::nan_where_kept:
    case Fill::nan_where_hidden:
      break;
  }
  return std::nullopt;
}

std::optional<Mask> changed_mask(MaskForm form,
                                 const std::optional<Mask>& given,
                                 const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  const auto changed = [&](auto change) {
    return given ? std::optional<Mask>(change(*given)) : std::nullopt;
  };
  switch (form) {
    case MaskForm::given:
      break;
    case MaskForm::ignored:
      return std::nullopt;
    case MaskForm::inverted:
      return changed(invert);
    case MaskForm::axes_swapped:
      return changed(swap_axes);
    case MaskForm::axes_reversed:
      return changed(reverse);
    case MaskForm::as_column:
      return changed(as_column);
    case MaskForm::read_transposed:
      return changed(
          [&](const Mask& mask) { return read_transposed(mask, test_case); });
    case MaskForm::first_batch:
      return changed(
          [&](const Mask& mask) { return first_batch(mask, test_case); });
    case MaskForm::first_entry:
      return changed(first_entry);
    case MaskForm::heads_tiled:
      return changed([&](const Mask& mask) {
        return misorder_heads(mask, true, test_case);
      });
    case MaskForm::heads_repeated:
      return changed([&](const Mask& mask) {
        return misorder_heads(mask, false, test_case);
      });
    case MaskForm::strict:
      return by_position(dimensions, [](auto i, auto j) { return j < i; });
    case MaskForm::one_ahead:
      return by_position(dimensions, [](auto i, auto j) { return j <= i + 1; });
    case MaskForm::future:
      return by_position(dimensions, [](auto i, auto j) { return j >= i; });
    case MaskForm::future_strict:
      return by_position(dimensions, [](auto i, auto j) { return j > i; });
    case MaskForm::causal_too:
      return both(given, by_position(dimensions,
                                     [](auto i, auto j) { return j <= i; }));
    case MaskForm::causal_too_aligned_right: {
      const std::int64_t offset = dimensions.m - dimensions.n;
      return both(given, by_position(dimensions, [offset](auto i, auto j) {
                    return j <= i + offset;
                  }));
    }
  }
  return given;
}

}  // namespace

std::optional<Mask> make_mask(MaskForm form, const std::optional<Mask>& given,
                              const Case& test_case) {
  const std::optional<Mask> mask = changed_mask(form, given, test_case);
  // What a class does to its mask leaves the future hidden that it hides.
  return hides_the_future(test_case)
             ? both(mask, reference::causal_mask(test_case.dimensions.n,
                                                 test_case.dimensions.m))
             : mask;
}

bool hides_before_softmax(const Formula& formula) {
  return formula.softmax != Softmax::renormalised_mask &&
         !weight_after_softmax(formula.fill_form);
}

double scale_and_hide(Tensor& scores, const Formula& formula, double factor,
                      const std::optional<Mask>& mask) {
  const bool hide = mask && hides_before_softmax(formula);
  const Mask keep =
      mask ? reference::broadcast_to(*mask, scores.shape) : Mask{};
  double largest = 0.0;
  for (std::size_t i = 0; i < scores.data.size(); ++i) {
    if (hide && keep.data[i] == 0) {
      scores.data[i] = filled(formula, scores.data[i], factor);
      continue;
    }
    scores.data[i] *= factor;
    if (hide && formula.fill_form == Fill::nan_where_kept) {
      scores.data[i] = not_a_number;
    }
    if (std::isfinite(scores.data[i])) {
      largest = std::max(largest, std::abs(scores.data[i]));
    }
  }
  return largest;
}

void hide_weights(Tensor& weights, const Formula& formula,
                  const std::optional<Mask>& mask) {
  if (!mask) {
    return;
  }
  const auto weight = weight_after_softmax(formula.fill_form);
  if (!weight) {
    return;
  }
  const Mask keep = reference::broadcast_to(*mask, weights.shape);
  for (std::size_t i = 0; i < weights.data.size(); ++i) {
    if (keep.data[i] == 0) {
      weights.data[i] = *weight;
    }
  }
}

}  // namespace grader
