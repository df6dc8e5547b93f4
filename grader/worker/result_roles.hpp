// SPDX-License-Identifier: MIT
// Which of the returned arrays is the output, which the weights.
#pragma once

#include <optional>
#include <vector>

#include "grader/worker/observe.hpp"

namespace grader {

// Shapes that a right answer to a case has.
struct RoleShapes {
  reference::Shape output;
  reference::Shape weights;
  // Where there are heads: the mean of the weights over them.
  std::optional<reference::Shape> head_averaged;
};

RoleShapes role_shapes(const Case& test_case);

// Positions in the list of results; absent: not among them.
struct ResultOrder {
  std::optional<std::size_t> output;
  std::optional<std::size_t> weights;
};

// The order in which most results have the shapes of their roles, over all
// cases that returned: cases where the two shapes agree decide nothing. Of
// equally good orders (output), (output, weights) is taken.
ResultOrder settle_order(const std::vector<CaseObservation>& observations);

// Fills output, weights, head_averaged_weights and the remarks on shape, dtype
// and mutation from the outcome. Arrays that were named by the candidate keep
// their names whatever the order is.
void assign_roles(const ResultOrder& order, CaseObservation& observation);

}  // namespace grader
