// SPDX-License-Identifier: MIT
// How far a right answer may be from the reference. Derived from the unit
// roundoff u of the precision the candidate computes in, never tuned:
//
//   tol_W = 4 u (4 + max|z|)        an error in a score z is an error in log W,
//                                   and z itself is known to u |z| only
//   tol_O = 2 tol_W max|v|          each output is a weighted mean of values
//
// Where the task projects x first, z and v are sums of longer chains of
// products: max|z| is then the sum of the products' magnitudes, and the output
// error passes through w_o (docs/tolerance.md). There is no relative tolerance
// on tiny weights: they have no meaningful relative error.
#pragma once

#include "grader/fixture/case.hpp"
#include "grader/worker/outcome.hpp"

namespace grader {

struct Tolerance {
  double weights = 0.0;
  double output = 0.0;
};

// The parts that do not depend on the precision; costly, so made once a case.
struct ErrorScale {
  double score = 0.0;   // the max|z| of tol_W
  double output = 0.0;  // the max|v| of tol_O
};

ErrorScale measure_error_scale(const Case& test_case);

Tolerance derive_tolerance(const ErrorScale& scale, double unit_roundoff);

// Beyond this a case proves nothing at that precision: contract, *Lower
// precision*.
inline constexpr double largest_useful_tolerance = 0.05;

}  // namespace grader
