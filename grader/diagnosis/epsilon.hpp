// SPDX-License-Identifier: MIT
// An epsilon in the softmax's denominator moves whole rows by a common factor,
// so it can be read off the row sums.
#pragma once

#include <vector>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

// Up to this an epsilon is a habit, above it a fault.
inline constexpr double largest_harmless_epsilon = 1e-6;

// A fitted value is known to a thousandth; 1e-6 itself is harmless.
inline bool is_harmless(double epsilon) {
  return epsilon <= 1.001 * largest_harmless_epsilon;
}

// The right softmax with an epsilon in its denominator, in each form that fits
// every row of every case with one epsilon, z being c times the raw scores with
// c as measured: beside the sum of exponentials, shifted by the maximum of the
// allowed or of all keys, or in a second division of rows that were weights
// already; added to the sum, or the least that it may be. Empty when the rows
// sum to 1 or want different ones.
std::vector<Formula> fit_epsilons(const std::vector<Evidenced>& cases,
                                  DType precision);

// Each of the right forms with each epsilon that people write, smallest first.
std::vector<Formula> usual_epsilons(const std::vector<Formula>& forms);

}  // namespace grader
