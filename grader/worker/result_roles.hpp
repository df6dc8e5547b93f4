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

// Results that have a name first, the output before the weights: a message may
// have them in any order.
void sort_by_role(Outcome& outcome);

// The order in which most results have the shapes of their roles, over all
// cases that returned: cases where the two shapes agree decide nothing. A name
// counts unless the shapes contradict it in every case. Of equally good orders
// the one whose weights have rows that sum to 1, then (output), (output,
// weights) is taken. What fits no role beside an output is left out; where
// nothing fits the output, something that may be a wrong one is. Where nothing
// came back, (output, weights). The layout is
// the one that all returned weights have the shape of, heads_first where that
// is none.
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
// and mutation from the outcome. Weights of another layout are brought into the
// task's; merged ones are left out.
void assign_roles(const ResultOrder& order, CaseObservation& observation);

}  // namespace grader
