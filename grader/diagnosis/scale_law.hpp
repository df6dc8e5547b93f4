// SPDX-License-Identifier: MIT
// The scale as a law over sizes: log c = log a + p log d_k + r log m + ...,
// fitted over cases of different sizes. The sparsest law that reaches rounding
// error is the one a person would have written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/slope.hpp"

namespace grader {

struct ScaleLaw {
  double constant = 1.0;
  std::map<std::string, double> exponents;  // "d_k": -1.0; zero ones left out
  double exponent_error = 0.0;              // largest standard error
  double r2 = 0.0;
  int cases = 0;  // that the fit rests on
};

struct ScalePoint {
  Dimensions dimensions;
  Slope slope;
  double largest_score = 0.0;  // the max|z| of the case's tolerance
};

// Slopes of the cases on which the scale alone explains the weights (R^2 close
// to 1 for the precision).
std::vector<ScalePoint> measure_scale(const std::vector<Evidenced>& cases,
                                      DType precision);

// Laws with no, one or two exponents that reach rounding error, of the smallest
// number of exponents that does; empty when none does, when the signs differ,
// or when there are fewer points than unknowns plus one.
std::vector<ScaleLaw> fit_scale_laws(const std::vector<ScalePoint>& all,
                                     DType precision);

// a * d_k^p * ... on the sizes of a case.
double evaluate_law(const ScaleLaw& law, const Dimensions& dimensions);

// "scores x 0.7071 d_k^-0.500"
std::string describe_law(const ScaleLaw& law);

}  // namespace grader
