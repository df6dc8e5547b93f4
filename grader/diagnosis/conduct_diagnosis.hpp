// SPDX-License-Identifier: MIT
// Faults that show in how a submission is called, or in what it calls, not in a
// formula.
#pragma once

#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

// The diagnosis with that fault in place of what was found: "stateful",
// "nondeterministic".
Diagnosis with_conduct_fault(Diagnosis diagnosis, const std::string& fault);

// A fault beside those that were found, of an answer that is right or
// explained: "library-attention". `sentence` says it: "it calls ...".
Diagnosis with_further_fault(Diagnosis diagnosis, const std::string& fault,
                             const std::string& sentence);

// Where every public case is right, and fresh ones of the same sizes are not,
// no formula can say so: the summary does.
Diagnosis with_public_cases_only(Diagnosis diagnosis);

}  // namespace grader
