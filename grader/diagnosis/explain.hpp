// SPDX-License-Identifier: MIT
// Does a formula reproduce what a submission did on all of its cases?
#pragma once

#include <vector>

#include "grader/diagnosis/case_fit.hpp"

namespace grader {

struct FormulaFit {
  CaseFit worst;          // of the case with the largest ratio
  int silent_cases = 0;   // on which numbers were compared
  bool complete = false;  // every case was looked at

  void add(const CaseFit& one);

  // Numbers were reproduced somewhere, nothing contradicts.
  bool fits() const {
    return complete && silent_cases > 0 && worst.ratio <= 1.0;
  }
};

// Stops as soon as the ratio passes `give_up`, and at a contradiction. Cases
// that are not informative at this precision, or on which the formula means
// nothing, count as follows: the first are left out, the second contradict.
FormulaFit fit_cases(const Formula& formula,
                     const std::vector<Evidenced>& cases, DType precision,
                     double give_up);

}  // namespace grader
