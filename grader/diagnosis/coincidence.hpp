// SPDX-License-Identifier: MIT
// Why cases cannot tell two faults apart: what is equal, missing or too small
// in all of them.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/audit.hpp"

namespace grader {

// "m = d_k in every case"; empty where no reason is known.
std::string coincidence(const Audit& audit, const AuditPair& tie);

// What is amiss with the sizes of the cases taken together, a sentence each;
// sizes that the task ties by itself are nothing amiss.
std::vector<std::string> size_warnings(const std::vector<const Case*>& cases);

}  // namespace grader
