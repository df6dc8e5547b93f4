// SPDX-License-Identifier: MIT
// A pure scale that no hypothesis names: the fitted law itself is the finding.
#pragma once

#include <optional>

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

}  // namespace grader
