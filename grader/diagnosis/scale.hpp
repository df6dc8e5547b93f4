// SPDX-License-Identifier: MIT
// What the raw scores are multiplied by: a number times a power of one size.
// Every scale that people write is one of these, right ones and wrong ones.
#pragma once

#include <cmath>
#include <compare>
#include <numbers>
#include <string>
#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

enum class SizeAxis { d_k, d_model, heads, keys, queries, d_v, batch };

// z = factor * size(axis)^exponent * s
struct Scale {
  double factor = 1.0;
  SizeAxis axis = SizeAxis::d_k;
  double exponent = 0.0;

  auto operator<=>(const Scale&) const = default;
};

namespace scales {

inline constexpr Scale by_sqrt_dk{1.0, SizeAxis::d_k, -0.5};  // right
inline constexpr Scale none{};
inline constexpr Scale by_dk{1.0, SizeAxis::d_k, -1.0};
inline constexpr Scale times_sqrt_dk{1.0, SizeAxis::d_k, 0.5};
// d_k ** 1/2 is d_k / 2
inline constexpr Scale by_half_dk{2.0, SizeAxis::d_k, -1.0};
inline constexpr Scale times_half_dk{0.5, SizeAxis::d_k, 1.0};
inline constexpr Scale by_fourth_root_dk{1.0, SizeAxis::d_k, -0.25};
inline constexpr Scale zero{0.0, SizeAxis::d_k, 0.0};
inline constexpr Scale negated{-1.0, SizeAxis::d_k, -0.5};
// 2 ** z in place of exp(z)
inline constexpr Scale base_two{std::numbers::ln2, SizeAxis::d_k, -0.5};

constexpr Scale by(SizeAxis axis) {
  return {1.0, axis, -1.0};
}
constexpr Scale by_sqrt(SizeAxis axis) {
  return {1.0, axis, -0.5};
}
constexpr Scale constant(double factor) {
  return {factor, SizeAxis::d_k, 0.0};
}

}  // namespace scales

// The multiplier of the scores; an axis that the case lacks has size 1, as in
// the C interface.
double scale_factor(const Scale& scale, const Dimensions& dimensions);

// Whether the case has the axis that the scale is named after. A hypothesis
// whose axis no case has is none: in 2-D nobody scales by heads. An axis that
// is always as wide as a key is none of its own.
bool has_axis(const Scale& scale, const Case& test_case);

// All have one size there: no law over it can be told from a number.
bool is_fixed(SizeAxis axis, const std::vector<const Case*>& cases);

}  // namespace grader
