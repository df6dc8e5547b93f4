// SPDX-License-Identifier: MIT
// The line of each case: what happened, how far from the right answer.
#pragma once

#include <optional>

#include "grader/diagnosis/classify.hpp"
#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

// Every case in the order they were run, held against the limits of the
// precision of the classification, else of the interface. Needs `ranks` of the
// diagnosis.
void list_cases(const Observations& observations,
                const std::vector<PreparedCase>& prepared,
                const std::optional<Classification>& classification,
                DType interface_precision, Diagnosis& diagnosis);

}  // namespace grader
