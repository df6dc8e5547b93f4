// SPDX-License-Identifier: MIT
// What an argument, or one of its numbers, may be replaced by.
#pragma once

#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// Simplest first: zeros, where they leave something to see; ones on the
// diagonal of each matrix; of several matrices, ones in the first, twos in the
// second, ..., which tells them apart.
std::vector<reference::Tensor> simple_forms(const NamedTensor& argument);

// Simplest first: 0, 1, then integers closer to 0 with the same sign.
std::vector<double> simpler_numbers(double value);

}  // namespace grader
