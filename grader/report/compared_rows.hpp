// SPDX-License-Identifier: MIT
// Two rows of numbers, one below the other, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace grader {

// "    expected  0.308  0.264" and "    got       0.261  0.256"; what does not
// fit into `width` columns becomes "...".
std::string compared_rows(const std::vector<double>& expected,
                          const std::vector<double>& actual, std::size_t width);

}  // namespace grader
