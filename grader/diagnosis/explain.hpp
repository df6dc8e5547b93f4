// SPDX-License-Identifier: MIT
// Does a formula reproduce what a submission did? Case by case, in units of the
// derived tolerance, at one precision.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/formula.hpp"

namespace grader {

// What does not depend on the submission: made once a run and a task.
struct PreparedCase {
  const Case* test_case = nullptr;  // outlives this
  FormulaInputs inputs;
  CaseBasis basis;
};

std::vector<PreparedCase> prepare_cases(const std::vector<Case>& cases);

// A case of one submission, ready to be explained.
struct Evidenced {
  const PreparedCase* prepared = nullptr;
  const CaseObservation* observation = nullptr;

  const Case& test_case() const { return *prepared->test_case; }
};

// An exception or a result of the wrong shape.
bool is_loud(const CaseObservation& observation);

// Returned, with an output or weights of the right shape.
bool is_silent(const CaseObservation& observation);

// Whether the weights of an observation may decide. Those recovered through
// projections come from other inputs and serve as evidence only.
bool weights_count(const CaseObservation& observation);

// Whether the case says anything at this precision.
bool is_informative(const PreparedCase& prepared, double unit_roundoff);

struct CaseFit {
  double ratio = 0.0;  // error in units of its limit; infinite: contradiction
  double error = 0.0;  // max |W - W_h|, or of the output without weights
  double limit = 0.0;
  bool is_silent = false;  // numbers were compared that zeros would not match
};

// The output is left out of account once the weights are off by more than
// `give_up` of their limit.
CaseFit fit_case(const Formula& formula, const Evidenced& evidenced,
                 DType precision,
                 double give_up = std::numeric_limits<double>::infinity());

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
