// SPDX-License-Identifier: MIT
// Does a case tell apart what it declares?
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// Pairs of `separates` that give nearly the same numbers on the case. Ids that
// have no formula here are skipped; several formulas of one id all count.
std::vector<std::pair<std::string, std::string>> inseparable(
    const Case& test_case);

inline bool separations_hold(const Case& test_case) {
  return inseparable(test_case).empty();
}

// Sizes that a class fixes may make two named scales one number: of those, a
// case declares the first only.
void forget_equal_scales(Case& test_case);

}  // namespace grader
