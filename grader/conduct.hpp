// SPDX-License-Identifier: MIT
// Answers that depend on more than the arguments: on earlier calls, or on
// chance. Asked only where no formula explains them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/worker/observe.hpp"

namespace grader {

// Starts the submission afresh: nothing is left of earlier calls.
using StartWorker = std::function<std::unique_ptr<Worker>()>;

// "stateful" where the first call of a fresh process is right and later ones
// are not, "nondeterministic" where it is wrong and two equal calls differ,
// else nothing. A few cases are tried, failed ones first.
std::optional<std::string> find_conduct_fault(const StartWorker& start,
                                              const Match& match,
                                              const Observations& observations,
                                              const Diagnosis& diagnosis,
                                              DType interface_precision);

}  // namespace grader
