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

// A few cases are asked again, each in a fresh process, failed ones first.
// "nondeterministic" where that is wrong and two equal calls differ. Where all
// are right there and the run had other numbers, the whole run is played again:
// "stateful" if it gives the same answers, else "nondeterministic". "stateful"
// as well where a right answer is wrong after a call whose numbers look like
// its own: what was remembered for the shapes, or the first numbers, is
// returned. Otherwise nothing.
std::optional<std::string> find_conduct_fault(const StartWorker& start,
                                              const Match& match,
                                              const Observations& observations,
                                              const Diagnosis& diagnosis,
                                              DType interface_precision);

}  // namespace grader
