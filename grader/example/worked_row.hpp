// SPDX-License-Identifier: MIT
// The right answer for one row as arithmetic that a reader can follow: "scores
// of query 0: 1*1 + 0*2 = 1, ...; divided by sqrt(2): 0.707, ...; softmax:
// 0.670, 0.330".
#pragma once

#include <cstddef>
#include <string>

#include "grader/fixture/case.hpp"

namespace grader {

// `row` counts the rows of the weights, of the output: the last axis is a row.
std::string work_out_weights(const Case& input, std::size_t row);
std::string work_out_output(const Case& input, std::size_t row);

}  // namespace grader
