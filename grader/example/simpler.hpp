// SPDX-License-Identifier: MIT
// What an argument, or one of its numbers, may be replaced by.
#pragma once

#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// Ones on the diagonal of each matrix; numbered: ones in the first matrix, twos
// in the second, ...
reference::Tensor diagonal(const reference::Shape& shape,
                           bool is_numbered = false);

// Simplest first: zeros, where they leave something to see; ones on the
// diagonal; a numbered diagonal, which tells several matrices apart.
std::vector<reference::Tensor> simple_forms(const NamedTensor& argument);

// Simplest first: 0, 1, then integers closer to 0 with the same sign.
std::vector<double> simpler_numbers(double value);

}  // namespace grader
