// SPDX-License-Identifier: MIT
// What is amiss with the sizes of cases, taken together.
#pragma once

#include <string>
#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

// A sentence each; sizes that the task ties by itself are nothing amiss. Of one
// kind and mask mode, at least one case.
std::vector<std::string> size_warnings(const std::vector<const Case*>& cases);

}  // namespace grader
