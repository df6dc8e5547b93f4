// SPDX-License-Identifier: MIT
// Measured numbers as a lesson shows them.
#pragma once

#include <string>

#include "grader/lesson/scale_study.hpp"

namespace grader {

// "8.011 ± 0.032": two digits of the error, but at most four decimals; "8e-06 ±
// 9e-08" where that would show nothing; "0" where nothing varied.
std::string text_of(const Estimate& estimate);

}  // namespace grader
