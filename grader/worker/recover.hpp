// SPDX-License-Identifier: MIT
// Weights of a function that returns only its output. Attention is linear in
// its values: with one-hot values the columns of the output are columns of the
// weights. Where the values are x @ w_v, w_v = pinv(x) @ one-hot and, in
// multi-head attention, w_o = identity (contract, section 1).
#pragma once

#include <optional>
#include <vector>

#include "grader/fixture/case.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

// One call and the part of the weights that it shows.
struct RecoveryCall {
  Call call;
  std::int64_t entry = 0;  // of the flattened leading axes that were cut out;
                           // 0 where all entries are seen at once
  std::int64_t first_key = 0;  // the columns first_key, first_key + 1, ...
};

// Empty where the weights cannot be recovered: more keys than columns to put
// them in, or x without a right inverse.
std::vector<RecoveryCall> recovery_calls(const Case& test_case);

// The shape that the output of each of those calls has.
reference::Shape recovery_shape(const Case& test_case);

// Copies the columns that the output of one call shows into `weights` (of
// scores_shape).
void take_columns(const Case& test_case, const RecoveryCall& call,
                  const reference::Tensor& output, reference::Tensor& weights);

// How much larger than the candidate's rounding unit the error of each
// recovered weight may be, the sum over |x| |w_v|; 1 for plain one-hot values.
double recovery_growth(const Case& test_case,
                       const std::vector<RecoveryCall>& calls);

// The Moore-Penrose inverse of an (n, c) matrix of full row rank, n <= c, so
// that x @ right_inverse(x) is the identity; absent when the rank is smaller.
std::optional<reference::Tensor> right_inverse(const reference::Tensor& x);

}  // namespace grader
