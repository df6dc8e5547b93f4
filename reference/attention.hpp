// SPDX-License-Identifier: MIT
// Scaled dot-product attention (Vaswani et al., "Attention Is All You Need",
// 2017, eq. 1) in float64 with long double accumulation.
//
//   n queries, m keys, d_k width of a query and a key, d_v width of a value;
//   leading axes: none, (B) or (B, H).
#pragma once

#include <optional>

#include "reference/tensor.hpp"

namespace reference {

struct Attention {
  Tensor output;   // (..., n, d_v)
  Tensor weights;  // (..., n, m), rows sum to 1
};

// q (..., n, d_k), k (..., m, d_k), v (..., m, d_v); mask broadcastable to
// (..., n, m), 1 = may attend. Throws std::invalid_argument on other shapes.
Attention attention(const Tensor& q, const Tensor& k, const Tensor& v,
                    const std::optional<Mask>& mask = std::nullopt);

// q (..., n, d_k), k (..., n, d_k), v (..., n, d_v); query i sees keys 0..i.
Attention causal_attention(const Tensor& q, const Tensor& k, const Tensor& v);

}  // namespace reference
