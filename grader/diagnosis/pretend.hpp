// SPDX-License-Identifier: MIT
// What a submission that computes a given formula would be seen to do: the
// stand-in that puts the diagnosis itself to the test.
#pragma once

#include <memory>
#include <vector>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

enum class Answers { output_and_weights, output_only };

// The cases as a submission that computes in a precision reads them. A list of
// its own, since rounding the arguments is costly and the same for every
// formula.
class RoundedCases {
 public:
  // `prepared` outlives this.
  RoundedCases(const std::vector<PreparedCase>& prepared, DType precision);

  // Raises where the formula means nothing (an axis that the rank does not
  // have), and on ranks other than `ranks` where that is not empty.
  Observations pretend(const Formula& formula, Answers answers,
                       const std::vector<int>& ranks = {}) const;

 private:
  const std::vector<PreparedCase>& prepared_;
  DType precision_;
  std::vector<std::unique_ptr<Case>> cases_;  // inputs_ point into these
  std::vector<FormulaInputs> inputs_;
};

// In float64.
CaseObservation pretend_case(const Formula& formula,
                             const PreparedCase& prepared, Answers answers);

// In float64, on all ranks.
Observations pretend(const Formula& formula,
                     const std::vector<PreparedCase>& prepared,
                     Answers answers = Answers::output_and_weights);

}  // namespace grader
