// SPDX-License-Identifier: MIT
#include "grader/diagnosis/explain.hpp"

#include <cmath>

namespace grader {

void FormulaFit::add(const CaseFit& one) {
  silent_cases += one.is_silent ? 1 : 0;
  if (one.ratio > worst.ratio ||
      (one.ratio == worst.ratio && one.limit > worst.limit)) {
    worst = one;
  }
}

FormulaFit fit_cases(const Formula& formula,
                     const std::vector<Evidenced>& cases, DType precision,
                     double give_up) {
  FormulaFit fit;
  for (const Evidenced& evidenced : cases) {
    if (!is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      continue;
    }
    fit.add(fit_case(formula, evidenced, precision, give_up));
    if (fit.worst.ratio > give_up || std::isinf(fit.worst.ratio)) {
      return fit;
    }
  }
  fit.complete = true;
  return fit;
}

}  // namespace grader
