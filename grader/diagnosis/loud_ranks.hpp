// SPDX-License-Identifier: MIT
// Ranks that a submission was not written for, and that do not say so on every
// input: Q @ K.T / sqrt(K.shape[1]) of one sequence raises on a batch, but for
// a batch whose sizes happen to agree.
#pragma once

#include <vector>

#include "grader/diagnosis/classify.hpp"

namespace grader {

// The supported ranks on which every case raises whose sizes (batch, heads,
// keys, d_k) all differ. None where that is every supported rank: then it is no
// matter of the rank.
std::vector<int> find_loud_ranks(const RankedCases& cases);

RankedCases without_ranks(RankedCases cases, const std::vector<int>& ranks);

// `firm` is what the other ranks have come to. A loud rank on which that
// formula, with the keys' axes exchanged by number, reproduces all there is
// gets the name of that; one without an explanation is declined: on a rank that
// is not demanded an error is no fault, and what lines up by luck proves none.
void judge_loud_ranks(const RankedCases& cases, const std::vector<int>& loud,
                      Classification& firm);

}  // namespace grader
