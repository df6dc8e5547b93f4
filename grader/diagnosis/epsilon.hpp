// SPDX-License-Identifier: MIT
// An epsilon in the softmax's denominator moves whole rows by a common factor,
// so it can be read off the row sums.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/explain.hpp"

namespace grader {

// Up to this an epsilon is a habit, above it a fault.
inline constexpr double largest_harmless_epsilon = 1e-6;

// A fitted value is known to a thousandth; 1e-6 itself is harmless.
inline bool is_harmless(double epsilon) {
  return epsilon <= 1.001 * largest_harmless_epsilon;
}

// The one epsilon of sum(exp(z - max z)) + epsilon that fits every row of every
// case, z being c times the raw scores with c as measured; nothing when the
// rows sum to 1 or want different ones.
std::optional<double> fit_epsilon(const std::vector<Evidenced>& cases,
                                  DType precision);

}  // namespace grader
