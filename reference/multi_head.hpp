// SPDX-License-Identifier: MIT
// Self-attention, multi-head attention (Vaswani et al., 2017, section 3.2.2)
// and grouped-query attention (Ainslie et al., "GQA", 2023), all on top of
// attention(). Every one takes the optional mask of attention(); for the causal
// form pass causal_mask(n, n).
#pragma once

#include <optional>

#include "reference/attention.hpp"

namespace reference {

// x (..., n, C), w_q and w_k (C, d_k), w_v (C, d_v), applied as x @ w.
// Output (..., n, d_v), weights (..., n, n).
Attention self_attention(const Tensor& x, const Tensor& w_q, const Tensor& w_k,
                         const Tensor& w_v,
                         const std::optional<Mask>& mask = std::nullopt);

struct MultiHeadWeights {
  Tensor w_q, w_k, w_v, w_o;  // (C, C) each, applied as x @ w
  std::int64_t n_heads = 1;   // divides C; head h owns columns h*C/H..(h+1)*C/H
};

// x (B, n, C) or (n, C). Output has the shape of x, weights (B, H, n, n) or
// (H, n, n). The mask is broadcastable to the weights.
Attention multi_head_attention(const Tensor& x, const MultiHeadWeights& weights,
                               const std::optional<Mask>& mask = std::nullopt);

// q (B, Hq, n, d_k), k (B, Hk, m, d_k), v (B, Hk, m, d_v), Hq a multiple of Hk;
// query head h uses key head h // (Hq / Hk). Output (B, Hq, n, d_v).
Attention grouped_query_attention(
    const Tensor& q, const Tensor& k, const Tensor& v,
    const std::optional<Mask>& mask = std::nullopt);

// (..., n, C) -> (..., H, n, C/H) and back.
Tensor split_heads(const Tensor& x, std::int64_t n_heads);
Tensor merge_heads(const Tensor& heads);

}  // namespace reference
