// SPDX-License-Identifier: MIT
// Verdicts that numbers have no part in: what the worker saw.
#pragma once

#include <optional>

#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

struct Mishap {
  Verdict verdict = Verdict::crashed;
  Cause cause;
  std::string summary;
};

// A hang, a crash, memory, a limit, a broken reply: the first of the worst kind
// met on any case. Exceptions are none, for they may be explained; but one of a
// call that has returned before is.
std::optional<Mishap> find_mishap(const Observations& observations);

// The verdict of one outcome, for a call or for loading; nothing for Returned.
std::optional<Mishap> judge_outcome(const Outcome& outcome,
                                    const std::string& phase);

}  // namespace grader
