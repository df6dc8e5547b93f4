// SPDX-License-Identifier: MIT
// What a submission that computes a formula would answer on a case. Shapes
// follow numpy's rules, so a variant that numpy refuses is refused here: that
// is a loud prediction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/case.hpp"
#include "grader/worker/outcome.hpp"

namespace grader {

struct Prediction {
  // Why the calculation is refused, or what shape the output comes out with
  // instead of the right one; empty when it goes through silently.
  std::string loud;
  // Weights of another shape than the right one, seen only by those who return
  // them: an output of the right shape may still come of them.
  bool weights_misfit = false;
  reference::Tensor weights;
  reference::Tensor output;
  double score = 0.0;  // max |z| over the scores that count, for the tolerance
  // Rows of the weights that depend on how exponentials underflow, one flag a
  // row; empty: none. They prove nothing either way.
  std::vector<std::uint8_t> unreliable_rows;
};

// q k^T and its wrong variants before the scale, or why numpy refuses them.
struct RawScores {
  reference::Tensor scores;
  std::string refused;
};

// What every formula starts from, made once a case: head-wise operands q (...,
// n, d_k), k (..., m, d_k), v (..., m, d_v) after projections, split and
// repetition of key heads, and the products of queries and keys.
struct FormulaInputs {
  const Case* test_case = nullptr;  // outlives this
  reference::Tensor q;
  reference::Tensor k;
  reference::Tensor v;
  std::optional<reference::Mask> mask;  // the right one, as it is handed over
  std::map<Product, RawScores> products;

  const reference::Tensor& right_scores() const {
    return products.at(Product::queries_keys).scores;
  }
};

FormulaInputs make_inputs(const Case& test_case);

// Whether the axis of the softmax exists on the case.
bool applies(const Formula& formula, const Case& test_case);

// `precision` bounds the exponentials: float32 overflows at 88, float64 at 709.
// Requires applies(). All but the output, which costs as much again.
Prediction predict_weights(const Formula& formula, const FormulaInputs& inputs,
                           DType precision);

struct PredictedOutput {
  std::string loud;  // as in Prediction
  reference::Tensor output;
};

PredictedOutput predict_output(const Formula& formula,
                               const FormulaInputs& inputs,
                               const reference::Tensor& weights);

// A submission that computes in `precision` reads these arguments ...
Case rounded_arguments(const Case& test_case, DType precision);
FormulaInputs make_rounded_inputs(const Case& rounded, DType precision);

// ... and rounds what each stage leaves.
Prediction predict_rounded(const Formula& formula, const FormulaInputs& rounded,
                           DType precision);

// Both.
Prediction predict(const Formula& formula, const FormulaInputs& inputs,
                   DType precision);

// What is recovered as weights from a function that returns its output only,
// by calling it with one-hot values (attention and grouped queries).
reference::Tensor predict_recovered(const Formula& formula,
                                    const FormulaInputs& inputs,
                                    const reference::Tensor& weights,
                                    const reference::Tensor& output);

}  // namespace grader
