// SPDX-License-Identifier: MIT
#include "reference/multi_head.hpp"

#include <numeric>
#include <stdexcept>

namespace reference {
namespace {

// Axes 0..rank-1 with the two before the last exchanged: (..., a, b, c) ->
// (..., b, a, c).
Tensor swap_heads_and_positions(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::iter_swap(axes.end() - 2, axes.end() - 3);
  return permute(tensor, axes);
}

void require_rank(const Tensor& tensor, int least, const char* what) {
  if (tensor.rank() < least) {
    throw std::invalid_argument(std::string(what) + " of shape " +
                                to_string(tensor.shape) + ": needs " +
                                std::to_string(least) + " axes or more");
  }
}

}  // namespace

Tensor split_heads(const Tensor& x, std::int64_t n_heads) {
  require_rank(x, 2, "splitting into heads");
  const std::int64_t width = x.size(-1);
  if (n_heads < 1 || width % n_heads != 0) {
    throw std::invalid_argument("cannot split shape " + to_string(x.shape) +
                                " into " + std::to_string(n_heads) + " heads");
  }
  Shape shape = x.shape;
  shape.back() = n_heads;
  shape.push_back(width / n_heads);
  return swap_heads_and_positions(reshape(x, shape));
}

Tensor merge_heads(const Tensor& heads) {
  require_rank(heads, 3, "merging heads");
  const Tensor positions = swap_heads_and_positions(heads);
  Shape shape = positions.shape;
  shape.pop_back();
  shape.back() *= heads.size(-1);
  return reshape(positions, shape);
}

Attention self_attention(const Tensor& x, const Tensor& w_q, const Tensor& w_k,
                         const Tensor& w_v, const std::optional<Mask>& mask) {
  return attention(matmul(x, w_q), matmul(x, w_k), matmul(x, w_v), mask);
}

Attention multi_head_attention(const Tensor& x, const MultiHeadWeights& weights,
                               const std::optional<Mask>& mask) {
  const auto heads_of = [&](const Tensor& w) {
    return split_heads(matmul(x, w), weights.n_heads);
  };
  Attention heads = attention(heads_of(weights.w_q), heads_of(weights.w_k),
                              heads_of(weights.w_v), mask);
  heads.output = matmul(merge_heads(heads.output), weights.w_o);
  return heads;
}

Attention grouped_query_attention(const Tensor& q, const Tensor& k,
                                  const Tensor& v,
                                  const std::optional<Mask>& mask) {
  require_rank(q, 3, "grouped queries");
  require_rank(k, 3, "grouped keys");
  require_rank(v, 3, "grouped values");
  const std::int64_t query_heads = q.size(-3);
  const std::int64_t key_heads = k.size(-3);
  if (key_heads == 0 || query_heads % key_heads != 0) {
    throw std::invalid_argument(
        "grouped queries of shape " + to_string(q.shape) +
        " and keys of shape " + to_string(k.shape) +
        ": query heads must be a multiple of key heads");
  }
  const std::int64_t group = query_heads / key_heads;
  return attention(q, repeat(k, group, -3), repeat(v, group, -3), mask);
}

}  // namespace reference
