// SPDX-License-Identifier: MIT
#include "reference/mask.hpp"

#include <algorithm>
#include <stdexcept>

namespace reference {

Mask causal_mask(std::int64_t n, std::int64_t m) {
  Mask mask;
  mask.shape = {n, m};
  mask.data.reserve(static_cast<std::size_t>(element_count(mask.shape)));
  for (std::int64_t query = 0; query < n; ++query) {
    for (std::int64_t key = 0; key < m; ++key) {
      mask.data.push_back(key <= query ? 1 : 0);
    }
  }
  return mask;
}

Mask both(const Mask& a, const Mask& b) {
  const Shape shape = broadcast_shapes(a.shape, b.shape);
  Mask result = broadcast_to(a, shape);
  const Mask other = broadcast_to(b, shape);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] &= other.data[i];
  }
  return result;
}

Mask empty_rows(const Mask& mask, const Shape& scores_shape) {
  if (scores_shape.empty()) {
    throw std::invalid_argument("scores of shape () have no rows");
  }
  const Mask full = broadcast_to(mask, scores_shape);
  Mask rows;
  rows.shape.assign(scores_shape.begin(), scores_shape.end() - 1);
  auto row = full.data.begin();
  for (std::int64_t left = element_count(rows.shape); left > 0; --left) {
    const auto end = row + scores_shape.back();
    const bool empty = std::all_of(row, end, [](auto cell) { return !cell; });
    rows.data.push_back(empty ? 1 : 0);
    row = end;
  }
  return rows;
}

}  // namespace reference
