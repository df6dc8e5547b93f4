// SPDX-License-Identifier: MIT
// Which of the returned arrays is the output, which the weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/worker/observe.hpp"

namespace grader {

// How the axes of weights come where they have heads.
enum class WeightsLayout {
  heads_first,    // (B, H, n, m), the task's
  tokens_first,   // (B, n, H, m)
  heads_outside,  // (H, B, n, m)
  merged,         // (B*H, n, m)
};

// Merged weights: which of the two axes counts slower is not told.
enum class OuterAxis { batch, heads };

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
  WeightsLayout layout = WeightsLayout::heads_first;
};

// The order in which most results have the shapes of their roles, over all
// cases that returned: cases where the two shapes agree decide nothing. Of
// equally good orders (output), (output, weights) is taken. The layout is the
// one that all returned weights have the shape of, heads_first where that is
// none.
ResultOrder settle_order(const std::vector<CaseObservation>& observations);

// "(B, n, H, m)"
std::string to_string(WeightsLayout layout);

// The returned weights where they are merged, else null.
const reference::Tensor* merged_weights(const ResultOrder& order,
                                        const CaseObservation& observation);

// Merged weights in the task's layout (B, H, n, m).
reference::Tensor split_merged(const reference::Tensor& merged, OuterAxis outer,
                               const Case& test_case);

// Fills output, weights, head_averaged_weights and the remarks on shape, dtype
// and mutation from the outcome. Arrays that were named by the candidate keep
// their names whatever the order is. Weights of another layout are brought into
// the task's; merged ones are left out.
void assign_roles(const ResultOrder& order, CaseObservation& observation);

}  // namespace grader
