// SPDX-License-Identifier: MIT
// Numbers as a report shows them.
#pragma once

#include <string>
#include <vector>

namespace grader {

// Significant digits: 4.4e-16, 0.021, "infinite", "not a number".
std::string significant(double value, int digits = 2);

// Digits after the point: -0.500; "nan", "inf", "-inf".
std::string fixed(double value, int decimals);

// "0.4 s", "12 s", "3 min 5 s".
std::string duration_text(double seconds);

// Two rows of numbers with as few decimals (3 to 9) as show their difference;
// in scientific notation where the numbers are large or very small.
struct NumberRows {
  std::vector<std::string> expected;
  std::vector<std::string> actual;
};
NumberRows number_rows(const std::vector<double>& expected,
                       const std::vector<double>& actual);

}  // namespace grader
