// SPDX-License-Identifier: MIT
// A pure scale that no hypothesis names: the fitted law itself is the finding.
#pragma once

#include <optional>
#include <string>

#include "grader/diagnosis/scale_law.hpp"
#include "grader/diagnosis/search.hpp"

namespace grader {

struct LawFinding {
  ScaleLaw law;
  FormulaFit fit;
  // Off by less than float32 can tell: a constant that was typed with too few
  // digits.
  bool is_nearly_right = false;
};

// The sparsest law that reproduces every number; nothing when none does, or
// when it is the right one: the numbers are off for another reason then.
std::optional<LawFinding> find_free_scale(const Scene& scene);

// A scale that is no power of the sizes: 1/log(d_k), or the spread of the
// scores themselves.
struct ScalesByCase {
  std::string text;  // "0.5139 at d_k = 7, 0.2405 at d_k = 64"
  FormulaFit fit;
};

// Each case by the factor that was measured on it; nothing where a case is off
// for another reason, where fewer than three in four show a factor, or where
// the factors are right. Half precision proves no such thing.
std::optional<ScalesByCase> find_scales_by_case(const Scene& scene);

}  // namespace grader
