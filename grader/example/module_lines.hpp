// SPDX-License-Identifier: MIT
// Python that makes a class with projections of its own, gives it the weights
// of a case and calls it. Only where that can be said from what is known of the
// class: a wrong line would be worse than none.
#pragma once

#include <string>
#include <vector>

#include "grader/fixture/case.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// before, after: what makes a tensor of the library of a name, "t(" and ")".
// Empty where the call cannot be written down.
std::vector<std::string> module_lines(const Case& input, const Match& match,
                                      const std::string& before,
                                      const std::string& after);

}  // namespace grader
