// SPDX-License-Identifier: MIT
#include "grader/diagnosis/head_axes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Shape;
using reference::Tensor;

std::size_t index(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// A tensor whose axis -3 is read in another order.
template <typename Order>
Tensor reorder_heads(const Tensor& tensor, Order order) {
  const std::int64_t heads = tensor.size(-3);
  const std::int64_t matrix = tensor.size(-2) * tensor.size(-1);
  Tensor result(tensor.shape);
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const std::int64_t head = cell / matrix % heads;
    const std::int64_t start = cell / (matrix * heads) * heads;
    result.data[i] =
        tensor
            .data[index((start + order(head, heads)) * matrix + cell % matrix)];
  }
  return result;
}

Tensor reverse_heads(const Tensor& tensor) {
  return reorder_heads(tensor, [](std::int64_t head, std::int64_t heads) {
    return heads - 1 - head;
  });
}

Tensor roll_heads(const Tensor& tensor, std::int64_t step) {
  return reorder_heads(tensor, [step](std::int64_t head, std::int64_t heads) {
    return (head + heads + step) % heads;
  });
}

// (..., n, H d) -> (..., n, first, second)
Tensor unfold(const Tensor& flat, std::int64_t first, std::int64_t second) {
  Shape shape = flat.shape;
  shape.back() = first;
  shape.push_back(second);
  return reference::reshape(flat, shape);
}

// (..., n, d, H) -> (..., H, n, d)
Tensor bring_heads_forward(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::rotate(axes.end() - 3, axes.end() - 1, axes.end());
  return reference::permute(tensor, axes);
}

// (..., H, n, d) -> (..., n, d, H)
Tensor send_heads_back(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::rotate(axes.end() - 3, axes.end() - 2, axes.end());
  return reference::permute(tensor, axes);
}

// (..., n, H d) of whatever has the right number of elements.
Tensor flatten(const Tensor& tensor, std::int64_t tokens, std::int64_t width) {
  Shape shape(tensor.shape.begin(), tensor.shape.end() - 3);
  shape.push_back(tokens);
  shape.push_back(width);
  return reference::reshape(tensor, shape);
}

// One head made of all, in the place of each.
template <typename Combine>
Tensor pool_heads(const Tensor& tensor, double start, Combine combine) {
  const std::int64_t heads = tensor.size(-3);
  const std::int64_t matrix = tensor.size(-2) * tensor.size(-1);
  Tensor result(tensor.shape, start);
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const std::int64_t batch = cell / (matrix * heads) * heads;
    for (std::int64_t head = 0; head < heads; ++head) {
      double& pooled =
          result.data[index((batch + head) * matrix + cell % matrix)];
      pooled = combine(pooled, tensor.data[i]);
    }
  }
  return result;
}

Tensor sum_heads(const Tensor& tensor) {
  return pool_heads(tensor, 0.0, [](double a, double b) { return a + b; });
}

// 0 in the place of every other head.
Tensor keep_first_head(Tensor tensor) {
  const auto heads = static_cast<std::size_t>(tensor.size(-3));
  const auto matrix =
      static_cast<std::size_t>(tensor.size(-2) * tensor.size(-1));
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    if (i / matrix % heads != 0) {
      tensor.data[i] = 0.0;
    }
  }
  return tensor;
}

std::int64_t flat_entry(EntryMap map, std::int64_t b, std::int64_t h,
                        std::int64_t batch, std::int64_t heads) {
  switch (map) {
    case EntryMap::own:
      break;
    case EntryMap::first_batch:
      return h;
    case EntryMap::next_batch:
      return (b + 1) % batch * heads + h;
    case EntryMap::previous_batch:
      return (b + batch - 1) % batch * heads + h;
    case EntryMap::reversed_batch:
      return (batch - 1 - b) * heads + h;
    case EntryMap::first_head:
      return b * heads;
    case EntryMap::next_head:
    case EntryMap::next_key_head:
      return b * heads + (h + 1) % heads;
    case EntryMap::previous_head:
    case EntryMap::previous_key_head:
      return b * heads + (h + heads - 1) % heads;
    case EntryMap::reversed_heads:
      return b * heads + heads - 1 - h;
    case EntryMap::sum:
      return b + h;
    case EntryMap::batch_only:
      return b;
    case EntryMap::heads_outer:
      return h * batch + b;
  }
  return b * heads + h;
}

}  // namespace

Tensor swap_tokens_and_heads(const Tensor& tensor) {
  std::vector<int> axes(tensor.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::iter_swap(axes.end() - 2, axes.end() - 3);
  return reference::permute(tensor, axes);
}

Tensor split(const Tensor& flat, HeadSplit split, std::int64_t heads) {
  const std::int64_t width = flat.size(-1) / heads;
  switch (split) {
    case HeadSplit::by_columns:
    case HeadSplit::first_block:
      break;
    case HeadSplit::by_reshape: {
      Shape shape(flat.shape.begin(), flat.shape.end() - 2);
      shape.insert(shape.end(), {heads, flat.size(-2), width});
      return reference::reshape(flat, shape);
    }
    case HeadSplit::feature_major:
      return bring_heads_forward(unfold(flat, width, heads));
    case HeadSplit::reversed:
      return reverse_heads(reference::split_heads(flat, heads));
    case HeadSplit::rolled:
      return roll_heads(reference::split_heads(flat, heads), 1);
    case HeadSplit::rolled_back:
      return roll_heads(reference::split_heads(flat, heads), -1);
    case HeadSplit::first_columns:
      return reorder_heads(
          reference::split_heads(flat, heads),
          [](std::int64_t, std::int64_t) { return std::int64_t{0}; });
    case HeadSplit::not_transposed:
      return unfold(flat, heads, width);
  }
  return reference::split_heads(flat, heads);
}

Tensor merge(const Tensor& heads, HeadMerge merge, std::int64_t tokens) {
  const std::int64_t matrices = heads.size(-3) * heads.size(-2);
  const std::int64_t width = matrices * heads.size(-1) / tokens;
  switch (merge) {
    case HeadMerge::by_columns:
      break;
    case HeadMerge::by_reshape:
      return flatten(heads, tokens, width);
    case HeadMerge::feature_major:
      return flatten(send_heads_back(heads), tokens, width);
    case HeadMerge::reversed:
      return flatten(swap_tokens_and_heads(reverse_heads(heads)), tokens,
                     width);
    case HeadMerge::rolled:
      return flatten(swap_tokens_and_heads(roll_heads(heads, 1)), tokens,
                     width);
    case HeadMerge::rolled_back:
      return flatten(swap_tokens_and_heads(roll_heads(heads, -1)), tokens,
                     width);
    case HeadMerge::averaged:
      return flatten(swap_tokens_and_heads(average_heads(heads)), tokens,
                     width);
    case HeadMerge::averaged_once:
      return flatten(
          swap_tokens_and_heads(keep_first_head(average_heads(heads))), tokens,
          width);
    case HeadMerge::maximum:
      return flatten(swap_tokens_and_heads(pool_heads(
                         heads, -std::numeric_limits<double>::infinity(),
                         [](double a, double b) { return std::max(a, b); })),
                     tokens, width);
    case HeadMerge::summed:
      return flatten(swap_tokens_and_heads(sum_heads(heads)), tokens, width);
    case HeadMerge::batch_outer: {
      if (heads.rank() < 4) {
        return flatten(heads, tokens, width);
      }
      Tensor outer = reference::permute(heads, {1, 0, 2, 3});
      return reference::reshape(outer, {heads.size(0), tokens, width});
    }
  }
  return flatten(swap_tokens_and_heads(heads), tokens, width);
}

Tensor average_heads(const Tensor& tensor) {
  return reference::scale(sum_heads(tensor),
                          1.0 / static_cast<double>(tensor.size(-3)));
}

Tensor tile_heads(const Tensor& tensor, std::int64_t count) {
  const std::int64_t heads = tensor.size(1);
  const std::int64_t matrix = tensor.size(2) * tensor.size(3);
  Shape shape = tensor.shape;
  shape[1] *= count;
  Tensor result(shape);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    const auto cell = static_cast<std::int64_t>(i);
    const std::int64_t entry = cell / matrix;
    const std::int64_t batch = entry / (heads * count);
    const std::int64_t head = entry % (heads * count) % heads;
    result.data[i] =
        tensor.data[index((batch * heads + head) * matrix + cell % matrix)];
  }
  return result;
}

Tensor take_entries(const Tensor& tensor, EntryMap map,
                    const Dimensions& dimensions, std::int64_t heads) {
  const std::int64_t batch = std::max<std::int64_t>(dimensions.batch, 1);
  const std::int64_t matrix = tensor.size(-2) * tensor.size(-1);
  const auto cells = static_cast<std::int64_t>(tensor.data.size());
  const std::int64_t own_heads = cells / matrix / batch;
  Shape shape = tensor.shape;
  if (dimensions.heads != 0) {
    shape[shape.size() - 3] = heads;
  }
  Tensor result(shape);
  for (std::int64_t entry = 0; entry < batch * heads; ++entry) {
    const std::int64_t from =
        flat_entry(map, entry / heads, entry % heads, batch, own_heads);
    std::copy_n(tensor.data.begin() + from * matrix, matrix,
                result.data.begin() + entry * matrix);
  }
  return result;
}

}  // namespace grader
