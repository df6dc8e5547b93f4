// SPDX-License-Identifier: MIT
// A fault that shows in how a submission is called, not in a formula.
#pragma once

#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

// The diagnosis with that fault in place of what was found: "stateful",
// "nondeterministic".
Diagnosis with_conduct_fault(Diagnosis diagnosis, const std::string& fault);

}  // namespace grader
