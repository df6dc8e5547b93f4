// SPDX-License-Identifier: MIT
// The smallest failing example: small inputs are tried in order of size until
// the submission is clearly wrong on one, then its numbers are made simpler as
// long as it stays wrong. What the submission does meanwhile changes no
// verdict.
#pragma once

#include <optional>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/example/smallest_example.hpp"
#include "grader/worker/observe.hpp"

namespace grader {

// `diagnosis` is that of the observations, which `worker` made; the worker may
// have died since. At most 40 calls, and none begins after 2 seconds of CPU
// time; one that hangs costs what the submission's own limits allow.
// Nothing for a verdict without wrong numbers, for a submission that does not
// answer the same twice, and where no small input shows that it is wrong.
std::optional<SmallestExample> find_smallest_example(
    Worker& worker, const Match& match, const Observations& observations,
    const Diagnosis& diagnosis);

}  // namespace grader
