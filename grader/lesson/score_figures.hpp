// SPDX-License-Identifier: MIT
// What scores become in a softmax.
#pragma once

#include <functional>
#include <span>

#include "grader/lesson/estimate.hpp"
#include "reference/tensor.hpp"

namespace grader {

struct ScoreFigures {
  double smallest = 0.0;  // score of all draws
  double largest = 0.0;
  Estimate deviation;               // of a score; its mean is 0
  double row_largest_weight = 0.0;  // of the first row of the first draw
  Estimate largest_weight;          // of a row
  Estimate entropy;                 // of a row's weights, nats
  Estimate effective_keys;          // exp(entropy)
  Estimate jacobian;   // Frobenius norm of diag(w) - w w^T, w a row's weights
  Estimate dead_rows;  // share: no weight answers to another key's score by
                       // more than 1e-3
};

// scores (draws, ..., m), of mean 0.
ScoreFigures figures_of(const reference::Tensor& scores);

// No weight of the row answers to the score of another key by more than 1e-3.
bool is_dead(std::span<const double> weights);

// Of one number of each draw's values.
Estimate estimate_draws(
    const reference::Tensor& values,
    const std::function<double(std::span<const double>)>& of_draw);

Estimate variance_of(const reference::Tensor& scores);
Estimate deviation_of(const reference::Tensor& scores);

}  // namespace grader
