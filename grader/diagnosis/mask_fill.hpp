// SPDX-License-Identifier: MIT
// How keys are hidden, read off the weights that hidden keys keep.
#pragma once

#include <optional>
#include <vector>

#include "grader/diagnosis/evidence.hpp"
#include "grader/diagnosis/hypotheses.hpp"

namespace grader {

// Of finite fills: those that are told from no fill at all, and the tiny ones,
// which rounding can feign.
struct FittedFills {
  std::vector<Hypothesis> clear;
  std::vector<Hypothesis> tiny;
};

// Finite fills that the weights of hidden keys show: a number in place of the
// score or added to it, before or after the scale. The name goes by the number:
// 0, tiny, a 0/1 mask, or weak. Empty where hidden keys keep no weight.
FittedFills fitted_fills(const std::vector<Evidenced>& cases);

// The same beside a scale that is wrong: each fill with each scale. The slope
// of the weights stands in for the scale while the fill is fitted.
std::vector<Hypothesis> fitted_fills_with_scales(
    const std::vector<Evidenced>& cases,
    const std::vector<Hypothesis>& singles);

}  // namespace grader
