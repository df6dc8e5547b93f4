// SPDX-License-Identifier: MIT
// Everything that is learnt by running one function on the cases of a task.
// Observing decides nothing about right and wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/worker/worker.hpp"

namespace grader {

enum class WeightsSource {
  returned,   // by the function
  recovered,  // from its output, with one-hot values (attention is linear in v)
  not_recovered,  // the output decides
};

struct CaseObservation {
  const Case* test_case = nullptr;  // outlives the observation
  Outcome outcome;                  // of the call on the case's own inputs
  // Present when the call returned and a result has the shape of that role.
  std::optional<reference::Tensor> output;
  std::optional<reference::Tensor> weights;  // (..., n, m) with the head axis
  // Multi-head only: the mean over the heads, (B, n, n) or (n, n), when that is
  // what the function returned; `weights` are recovered then.
  std::optional<reference::Tensor> head_averaged_weights;
  WeightsSource weights_source = WeightsSource::not_recovered;
  // Recovered weights carry the error of x @ w_v, up to the number of terms
  // times this many rounding units; 1 where v itself was one-hot, without
  // error.
  double recovery_growth = 1.0;
  // Of the arrays that came back in these roles; integers count as float64.
  DType output_dtype = DType::float64;
  DType weights_dtype = DType::float64;
  // 1e-4, 1e-5, 1e-6 where all results in this role are multiples of it, in
  // every case; else 0.
  double output_grid = 0.0;
  double weights_grid = 0.0;
  bool input_mutated = false;
  bool integer_result = false;
  // Why a returned result fits no role ("output has shape (3, 19, 7), expected
  // (3, 7, 19)"), else empty.
  std::string shape_problem;
  // The results as they came, where shape_problem is set: evidence for loud
  // faults.
  std::vector<reference::Shape> result_shapes;
};

struct Observations {
  std::vector<CaseObservation> cases;  // in the order of the cases
  // The first returned case, called again after all others: the same
  // numbers, but for the order of sums? Of a class also after other inputs to
  // the same object, and these after it.
  std::optional<bool> same_answer_twice;
  // Calls beside those of the cases (weights recovered, the first case again)
  // that ended in neither a result nor an exception; and the exception of the
  // first case again, which had returned.
  std::vector<Outcome> further_mishaps;
  // Native code only: output with weights == NULL equals output with a buffer.
  std::optional<bool> same_without_weights;
  // How the results were read where there is more than one way, for people.
  std::vector<std::string> conventions;
};

// The order of two results is settled by a case in which their shapes differ.
// Calls the function once a case, ceil(m / d_v) times more a case where the
// weights have to be recovered, and once more at the end.
Observations observe(Worker& worker, const Match& match,
                     const std::vector<Case>& cases);

}  // namespace grader
