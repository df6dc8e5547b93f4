// SPDX-License-Identifier: MIT
// Masks: boolean, 1 = the query may attend to the key.
#pragma once

#include "reference/tensor.hpp"

namespace reference {

// (n, m); query i sees keys 0..i, as numpy.tri(n, m, dtype=bool).
Mask causal_mask(std::int64_t n, std::int64_t m);

// What both allow, broadcast to each other.
Mask both(const Mask& a, const Mask& b);

// 1 for each row of the (..., n, m) mask, broadcast to `scores_shape`, that
// allows no key at all; shape (..., n).
Mask empty_rows(const Mask& mask, const Shape& scores_shape);

}  // namespace reference
