// SPDX-License-Identifier: MIT
// A case as diagnosis sees it: what is known of it beforehand, and what one
// submission did on it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/prediction_cache.hpp"

namespace grader {

// What does not depend on the submission: made once a run and a task.
struct PreparedCase {
  const Case* test_case = nullptr;  // outlives this
  FormulaInputs inputs;
  CaseBasis basis;
  double largest_output = 0.0;  // finite magnitude in the right output
  std::shared_ptr<PredictionCache> predictions;
};

std::vector<PreparedCase> prepare_cases(const std::vector<Case>& cases);

// log W against the raw scores, centred row by row, over allowed cells with a
// weight that rounding has not eaten: the slope c of W = softmax(c s).
struct Slope {
  double value = 0.0;
  double standard_error = 0.0;  // of the value, from the residuals
  double r2 = 0.0;              // 1 where only the scale is off
};

// A case of one submission, ready to be explained.
struct Evidenced {
  const PreparedCase* prepared = nullptr;
  const CaseObservation* observation = nullptr;
  std::optional<Slope> slope = std::nullopt;  // as fit_slope() found it

  const Case& test_case() const { return *prepared->test_case; }
};

// An exception or a result of the wrong shape.
bool is_loud(const CaseObservation& observation);

// Returned, with an output or weights of the right shape.
bool is_silent(const CaseObservation& observation);

// Whether the weights of an observation may decide. Those recovered through
// projections come from other inputs and serve as evidence only.
bool weights_count(const CaseObservation& observation);

// There are weights, and they may.
bool has_deciding_weights(const CaseObservation& observation);

// Some hidden key has a weight beyond the limit; NaN is none. Requires weights.
bool leaks(const Evidenced& evidenced, double limit);

// Whether the case says anything at this precision.
bool is_informative(const PreparedCase& prepared, double unit_roundoff);

}  // namespace grader
