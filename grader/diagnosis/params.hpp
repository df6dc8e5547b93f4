// SPDX-License-Identifier: MIT
// Which variant of a fault it is: the numbers and words that go into `params`.
#pragma once

#include <map>
#include <string>

#include "grader/diagnosis/formula.hpp"

namespace grader {

// "0.125", with so many digits at most.
std::string number_text(double value, int digits = 9);

// "constant": "0.125", "axis": "each matrix"; empty where the id says it all.
std::map<std::string, std::string> describe_params(const Formula& formula);

}  // namespace grader
