// SPDX-License-Identifier: MIT
// 1 minus the penalties of the faults, at least 0: 0.5 for a structural one,
// 0.25 where some supported rank is free of it or where it is conditional by
// nature, 0.1 for robustness, nothing for a note.
#pragma once

#include "grader/diagnosis/classify.hpp"

namespace grader {

double score_of(const Classification& classification);

}  // namespace grader
