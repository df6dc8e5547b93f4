// SPDX-License-Identifier: MIT
// What repeated draws say of a number.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace grader {

// A mean over the draws and its standard error. Of what is a mean over rows: in
// each draw over that draw's.
struct Estimate {
  double mean = 0.0;
  double error = 0.0;
};

// Summed in long double; at least one value.
double mean_of(std::span<const double> values);

// At least two draws.
Estimate estimate(const std::vector<double>& per_draw);

// "8.011 ± 0.032": two digits of the error, but at most four decimals; "8e-06 ±
// 9e-08" where that would show nothing; "0" where nothing varied.
std::string text_of(const Estimate& estimate);

}  // namespace grader
