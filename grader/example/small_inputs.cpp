// SPDX-License-Identifier: MIT
#include "grader/example/small_inputs.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "grader/example/simpler.hpp"
#include "grader/example/small_sizes.hpp"

namespace grader {
namespace {

using reference::Mask;
using reference::Shape;
using reference::Tensor;

// Each from -2 to 2, no two arguments alike, so that neither symmetry nor
// equal operands hide anything, and no row of scores far apart.
double small_integer(std::size_t argument, std::size_t place) {
  constexpr std::array<int, 11> cycle{1, 2, 0, 1, -1, 2, 1, 0, 1, 1, -1};
  return cycle[(argument * 4 + place) % cycle.size()];
}

void fill_small(Case& small) {
  std::size_t number = 0;
  for (const auto& [name, shape] :
       argument_shapes(small.kind, small.rank, small.dimensions)) {
    Tensor tensor(shape);
    for (std::size_t i = 0; i < tensor.data.size(); ++i) {
      tensor.data[i] = small_integer(number, i);
    }
    small.arguments.push_back({name, std::move(tensor)});
    ++number;
  }
}

// The mask in full: each matrix of scores hides another key from some query.
Mask full_mask(const Case& small) {
  Mask mask{scores_shape(small), {}};
  const auto n = static_cast<std::size_t>(small.dimensions.n);
  const auto m = static_cast<std::size_t>(small.dimensions.m);
  mask.data.assign(
      static_cast<std::size_t>(reference::element_count(mask.shape)), 1);
  for (std::size_t matrix = 0; matrix * n * m < mask.data.size(); ++matrix) {
    const std::size_t row = matrix / m % n;
    const std::size_t key = (m - 1) - matrix % m;
    mask.data[(matrix * n + row) * m + key] = 0;
  }
  return mask;
}

Mask shared_mask(const Case& small) {
  Mask mask = full_mask(small);
  mask.shape = {small.dimensions.n, small.dimensions.m};
  mask.data.resize(
      static_cast<std::size_t>(reference::element_count(mask.shape)));
  return mask;
}

// The last key is hidden from everyone, in every second entry of a batch.
Mask padding_mask(const Case& small) {
  const auto m = static_cast<std::size_t>(small.dimensions.m);
  Shape shape{small.dimensions.m};
  if (small.rank > 2) {
    shape = scores_shape(small);
    std::fill(shape.begin() + 1, shape.end() - 1, 1);
  }
  Mask mask{shape, {}};
  mask.data.assign(static_cast<std::size_t>(reference::element_count(shape)),
                   1);
  for (std::size_t last = m - 1; last < mask.data.size(); last += 2 * m) {
    mask.data[last] = 0;
  }
  return mask;
}

void negate(Tensor& tensor) {
  for (double& value : tensor.data) {
    value = -value;
  }
}

void set_identity(Tensor& tensor) {
  tensor = diagonal(tensor.shape);
}

// The first feature of one row of each matrix, or of every row.
void set_first_feature(Tensor& tensor, double value,
                       std::optional<std::size_t> only) {
  const auto rows = static_cast<std::size_t>(tensor.size(-2));
  const auto columns = static_cast<std::size_t>(tensor.size(-1));
  for (std::size_t row = 0; row * columns < tensor.data.size(); ++row) {
    if (!only || row % rows == *only) {
      tensor.data[row * columns] = value;
    }
  }
}

constexpr double loud = 200.0;

// The first query's score with one key is 200 * 200 / sqrt(d_k): exp overflows,
// and a hidden key that is merely lowered by 1e4 comes back. Behind projections
// it is the score of the first token with itself.
void make_one_score_large(Case& small) {
  auto& arguments = small.arguments;
  set_first_feature(arguments[0].tensor, loud, 0);
  if (small.dimensions.d_model == 0) {
    const auto last = static_cast<std::size_t>(small.dimensions.m - 1);
    set_first_feature(arguments[1].tensor, loud, last);
  } else {
    set_identity(arguments[1].tensor);
    set_identity(arguments[2].tensor);
  }
}

// All scores are about -200 * 200 / sqrt(d_k): every exp is 0, and a hidden key
// that is filled with -1e4 wins.
void make_all_scores_negative(Case& small) {
  auto& arguments = small.arguments;
  set_first_feature(arguments[0].tensor, loud, std::nullopt);
  if (small.dimensions.d_model == 0) {
    set_first_feature(arguments[1].tensor, -loud, std::nullopt);
  } else {
    set_identity(arguments[1].tensor);
    set_identity(arguments[2].tensor);
    negate(arguments[2].tensor);
  }
}

class SmallInputs {
 public:
  SmallInputs(Kind kind, MaskMode mask_mode, int rank)
      : sizes_(small_sizes(kind, mask_mode, rank)) {
    blank_.name = "small";
    blank_.kind = kind;
    blank_.mask_mode = mask_mode;
    blank_.rank = rank;
  }

  std::vector<Case> make() {
    for (const Dimensions& sizes : sizes_) {
      add(with_sizes(sizes));
    }
    Case large = with_sizes(sizes_.front());
    make_one_score_large(large);
    add(std::move(large));
    Case negative = with_sizes(sizes_.front());
    make_all_scores_negative(negative);
    add(std::move(negative));
    if (blank_.mask_mode == MaskMode::masked) {
      add_other_masks();
    }
    return std::move(result_);
  }

 private:
  Case with_sizes(const Dimensions& sizes) const {
    Case small = blank_;
    small.dimensions = sizes;
    fill_small(small);
    if (small.mask_mode == MaskMode::masked) {
      small.mask = full_mask(small);
    }
    return small;
  }

  void add_other_masks() {
    Case shared = with_sizes(sizes_.front());
    shared.mask = shared_mask(shared);
    add(std::move(shared));
    Case padded = with_sizes(sizes_.back());
    padded.mask = padding_mask(padded);
    add(std::move(padded));
  }

  void add(Case small) {
    small.expected = evaluate_reference(small);
    result_.push_back(std::move(small));
  }

  std::vector<Dimensions> sizes_;
  Case blank_;
  std::vector<Case> result_;
};

}  // namespace

std::vector<Case> small_inputs(Kind kind, MaskMode mask_mode, int rank) {
  return SmallInputs(kind, mask_mode, rank).make();
}

}  // namespace grader
