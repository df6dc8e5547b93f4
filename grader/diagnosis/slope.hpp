// SPDX-License-Identifier: MIT
// The scale of one case, measured: within a row log W and the raw scores s = q
// k^T differ by a constant wherever W = softmax(c s), so the slope of one over
// the other is c, whatever the normaliser was.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/explain.hpp"

namespace grader {

struct Slope {
  double value = 0.0;           // c of W = softmax(c s)
  double standard_error = 0.0;  // from the residuals
  double r2 = 0.0;              // 1: a pure scale
};

// Over allowed cells with W > 1e-5, centred row by row. Nothing where there are
// no weights, or where saturation leaves fewer than three cells.
std::optional<Slope> fit_slope(const Evidenced& evidenced);

}  // namespace grader
