// SPDX-License-Identifier: MIT
#include "grader/example/small_sizes.hpp"

#include <algorithm>

namespace grader {
namespace {

Dimensions matrix_sizes(std::int64_t n, std::int64_t m, std::int64_t d_k,
                        std::int64_t d_v) {
  Dimensions sizes;
  sizes.n = n;
  sizes.m = m;
  sizes.d_k = d_k;
  sizes.d_v = d_v;
  return sizes;
}

std::vector<Dimensions> plain_sizes(bool is_square) {
  std::vector<Dimensions> sizes{
      matrix_sizes(2, 2, 2, 2), matrix_sizes(2, 2, 3, 2),
      matrix_sizes(2, 3, 2, 2), matrix_sizes(3, 2, 2, 2),
      matrix_sizes(2, 2, 2, 3), matrix_sizes(3, 3, 2, 3),
      matrix_sizes(3, 4, 2, 2), matrix_sizes(2, 2, 4, 4)};
  if (is_square) {
    std::erase_if(sizes, [](const Dimensions& s) { return s.n != s.m; });
  }
  return sizes;
}

Dimensions projected_sizes(std::int64_t n, std::int64_t d_model,
                           std::int64_t d_k, std::int64_t d_v) {
  Dimensions sizes = matrix_sizes(n, n, d_k, d_v);
  sizes.d_model = d_model;
  return sizes;
}

std::vector<Dimensions> self_sizes() {
  return {projected_sizes(2, 2, 2, 2), projected_sizes(2, 3, 2, 2),
          projected_sizes(2, 2, 3, 2), projected_sizes(3, 2, 2, 2),
          projected_sizes(2, 2, 2, 3), projected_sizes(3, 3, 2, 3),
          projected_sizes(2, 3, 4, 2)};
}

Dimensions head_sizes(std::int64_t n, std::int64_t heads, std::int64_t width) {
  Dimensions sizes = projected_sizes(n, heads * width, width, width);
  sizes.heads = heads;
  return sizes;
}

// A width of 1 hides the scale and shows what mixes heads in few numbers.
std::vector<Dimensions> multi_head_sizes() {
  return {head_sizes(2, 1, 2), head_sizes(2, 2, 1), head_sizes(3, 2, 1),
          head_sizes(2, 2, 2), head_sizes(2, 3, 1), head_sizes(3, 1, 2),
          head_sizes(3, 2, 2), head_sizes(2, 1, 3)};
}

struct Leading {
  std::int64_t batch = 0;
  std::int64_t heads = 0;  // query heads
  std::int64_t kv_heads = 0;
  std::size_t count = 0;  // how many of the matrix sizes are tried with it
};

std::vector<Leading> leading_sizes(Kind kind, int rank) {
  constexpr std::size_t all = 100;
  if (kind == Kind::grouped_query_attention) {
    return {{1, 2, 1, 2}, {1, 2, 2, 1}, {1, 4, 2, 1}, {2, 2, 1, all},
            {2, 4, 2, 2}, {3, 2, 1, 1}, {1, 6, 2, 1}};
  }
  if (rank == 2) {
    return {{0, 0, 0, all}};
  }
  if (rank == 3) {
    return {{1, 0, 0, 2}, {2, 0, 0, all}, {3, 0, 0, 2}};
  }
  return {{1, 1, 0, 2},   {1, 2, 0, 2}, {2, 1, 0, 1},
          {2, 2, 0, all}, {2, 3, 0, 2}, {3, 2, 0, 1}};
}

std::vector<Dimensions> matrix_sizes_of(Kind kind, MaskMode mask_mode) {
  switch (kind) {
    case Kind::attention:
    case Kind::grouped_query_attention:
      return plain_sizes(mask_mode == MaskMode::causal);
    case Kind::self_attention:
      return self_sizes();
    case Kind::multi_head_attention:
      return multi_head_sizes();
  }
  return {};
}

}  // namespace

std::vector<Dimensions> small_sizes(Kind kind, MaskMode mask_mode, int rank) {
  const std::vector<Dimensions> matrices = matrix_sizes_of(kind, mask_mode);
  std::vector<Dimensions> result;
  for (const Leading& leading : leading_sizes(kind, rank)) {
    for (std::size_t i = 0; i < std::min(leading.count, matrices.size()); ++i) {
      Dimensions sizes = matrices[i];
      sizes.batch = leading.batch;
      if (kind != Kind::multi_head_attention) {
        sizes.heads = leading.heads;
        sizes.kv_heads = leading.kv_heads;
      }
      result.push_back(sizes);
    }
  }
  return result;
}

}  // namespace grader
