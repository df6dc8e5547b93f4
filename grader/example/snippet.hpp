// SPDX-License-Identifier: MIT
// Numbers as Python writes them.
#pragma once

#include <string>
#include <vector>

#include "grader/fixture/case.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// "2", "-1.5", 17 digits where they are needed; "nan", "inf".
std::string plain_number(double value);

// "[[1, 0], [0, 1]]"
std::string nested_list(const reference::Tensor& tensor);
// "[[True, False], [True, True]]"
std::string nested_list(const reference::Mask& mask);

// Lines that build the arguments and call the function with them; without the
// call where the module cannot be made from what is known of it.
std::vector<std::string> python_lines(const Case& input, const Match& match);

// The same for arguments that are there as numpy's float64 arrays: "t = lambda
// a: torch.tensor(a, dtype=torch.float32)", "attention(t(q), t(k), t(v))".
std::vector<std::string> call_on_arrays(const Case& input, const Match& match);

}  // namespace grader
