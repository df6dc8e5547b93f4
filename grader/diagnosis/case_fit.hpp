// SPDX-License-Identifier: MIT
// Does a formula reproduce what a submission did on one case? In units of the
// derived tolerance, at one precision.
#pragma once

#include <limits>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

struct CaseFit {
  double ratio = 0.0;  // error in units of its limit; infinite: contradiction
  double error = 0.0;  // max |W - W_h|, or of the output without weights
  double limit = 0.0;
  bool is_silent = false;  // numbers were compared that zeros would not match
};

// What rounding for print, np.round(output, 4), adds to the limits. An output
// that was made of rounded weights is off by the sum of their errors.
struct GridRounding {
  double output = 0.0;
  double weights = 0.0;
};

GridRounding grid_rounding(const Evidenced& evidenced);

// One result in a lower precision beside another that is not: the other
// decides, this one was made of rounded numbers or rounded on its way back.
// Relative: to the largest weight, to the largest value in v. 0 where nothing
// is to be allowed for.
struct ReturnRounding {
  double output = 0.0;
  double weights = 0.0;
};

ReturnRounding return_rounding(const CaseObservation& observation,
                               DType precision);

// The output is left out of account once the weights are off by more than
// `give_up` of their limit.
CaseFit fit_case(const Formula& formula, const Evidenced& evidenced,
                 DType precision,
                 double give_up = std::numeric_limits<double>::infinity());

// Whether a few cells of a silent case leave it possible that the formula fits.
bool may_fit(const Formula& formula, const Evidenced& evidenced,
             DType precision);

}  // namespace grader
