// SPDX-License-Identifier: MIT
// How keys are hidden, read off the weights that hidden keys keep.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {

// Finite fills that the weights of hidden keys show: a number in place of the
// score or added to it, before or after the scale. The name goes by the number:
// 0, tiny, a 0/1 mask, or weak. Empty where hidden keys keep no weight.
std::vector<Hypothesis> fitted_fills(const std::vector<Evidenced>& cases);

// What the submission does with rows that may attend to nothing: the task fixes
// nothing, but code that mixes rows lets it be seen elsewhere. The right form
// first; others as the weights of such rows show, or all where they are not
// known.
std::vector<Formula> empty_row_policies(const std::vector<Evidenced>& cases);

}  // namespace grader
