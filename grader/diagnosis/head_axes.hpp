// SPDX-License-Identifier: MIT
// Moving the axes of batch, heads and tokens, the right way and others.
#pragma once

#include "grader/diagnosis/formula.hpp"
#include "reference/tensor.hpp"

namespace grader {

// (..., n, H d) -> (..., H, n, d) or as the variant leaves it.
reference::Tensor split(const reference::Tensor& flat, HeadSplit split,
                        std::int64_t heads);

// (..., H, n, d) -> (..., n, H d), where `tokens` is n. Throws
// std::invalid_argument where numpy refuses.
reference::Tensor merge(const reference::Tensor& heads, HeadMerge merge,
                        std::int64_t tokens);

// (B, H, n, d) <-> (B, n, H, d): the two axes before the last.
reference::Tensor swap_tokens_and_heads(const reference::Tensor& tensor);

// The mean of the heads (axis -3), in the place of each.
reference::Tensor average_heads(const reference::Tensor& tensor);

// Heads 0, 1, ..., 0, 1, ...: axis 1, `count` times over.
reference::Tensor tile_heads(const reference::Tensor& tensor,
                             std::int64_t count);

// Rows of other leading entries. Where keys are grouped, of their own heads.
// The tensor's leading axes are those of batch and heads that the dimensions
// have; the result has `heads` heads where there is such an axis.
reference::Tensor take_entries(const reference::Tensor& tensor, EntryMap map,
                               const Dimensions& dimensions,
                               std::int64_t heads);

}  // namespace grader
