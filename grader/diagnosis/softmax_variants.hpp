// SPDX-License-Identifier: MIT
// The softmax stage of a Formula.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/diagnosis/prediction.hpp"

namespace grader {

// scores (..., n, m) are scaled and, except for renormalised_mask, already
// hidden where the mask says so. Exponentials overflow to infinity and
// underflow to 0 where they do in `precision`.
reference::Tensor apply_softmax(const Formula& formula,
                                const reference::Tensor& scores,
                                const std::optional<reference::Mask>& mask,
                                DType precision);

// One flag a row: hiding after the softmax leaves sums so small there that the
// exponentials of the allowed keys underflow in `precision`.
std::vector<std::uint8_t> rows_lost_to_underflow(
    const reference::Tensor& scores, const reference::Mask& mask,
    DType precision);

}  // namespace grader
