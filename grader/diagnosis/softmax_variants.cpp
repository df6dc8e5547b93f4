// SPDX-License-Identifier: MIT
#include "grader/diagnosis/softmax_variants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace grader {
namespace {

using reference::Tensor;

double bounded_exp(double exponent, DType precision) {
  const double value = std::exp(exponent);
  switch (precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      return value;
    case DType::float32:
    case DType::bfloat16:
      return static_cast<double>(static_cast<float>(value));
    case DType::float16:
      break;
  }
  constexpr double largest_float16 = 65504.0;
  constexpr double half_of_smallest_float16 = 0x1p-25;
  if (value > largest_float16) {
    return std::numeric_limits<double>::infinity();
  }
  return value < half_of_smallest_float16 ? 0.0 : value;
}

// A softmax runs over groups of cells: the rows, the columns, a whole matrix.
// Cell i of a tensor belongs to the group that starts at `start` and steps by
// `stride` over `count` cells.
struct Group {
  std::size_t start;
  std::size_t stride;
  std::size_t count;
};

std::vector<Group> groups_along(const reference::Shape& shape, int axis) {
  std::size_t stride = 1;
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size();
       ++i) {
    stride *= static_cast<std::size_t>(shape[i]);
  }
  const auto count =
      static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
  const auto cells = static_cast<std::size_t>(reference::element_count(shape));
  std::vector<Group> groups;
  for (std::size_t block = 0; block < cells; block += stride * count) {
    for (std::size_t offset = 0; offset < stride; ++offset) {
      groups.push_back({block + offset, stride, count});
    }
  }
  return groups;
}

std::vector<Group> blocks_of(std::size_t cells, std::size_t size) {
  std::vector<Group> groups;
  for (std::size_t start = 0; start < cells; start += size) {
    groups.push_back({start, 1, size});
  }
  return groups;
}

std::vector<Group> groups_of(Softmax softmax, const reference::Shape& shape) {
  const int rank = static_cast<int>(shape.size());
  const auto cells = static_cast<std::size_t>(reference::element_count(shape));
  switch (softmax) {
    case Softmax::over_queries:
      return groups_along(shape, rank - 2);
    case Softmax::over_heads:
      return groups_along(shape, rank - 3);
    case Softmax::over_batch:
      return groups_along(shape, 0);
    case Softmax::over_matrix:
      return blocks_of(cells,
                       static_cast<std::size_t>(shape[shape.size() - 1] *
                                                shape[shape.size() - 2]));
    case Softmax::over_all:
      return blocks_of(cells, cells);
    case Softmax::over_keys:
    case Softmax::missing:
    case Softmax::unnormalised:
    case Softmax::unnormalised_raw:
    case Softmax::no_max_shift:
    case Softmax::negated:
    case Softmax::renormalised_mask:
      break;
  }
  return groups_along(shape, rank - 1);
}

bool subtracts_maximum(Softmax softmax) {
  return softmax != Softmax::no_max_shift &&
         softmax != Softmax::unnormalised_raw;
}

bool divides_by_sum(Softmax softmax) {
  return softmax != Softmax::unnormalised &&
         softmax != Softmax::unnormalised_raw;
}

struct SoftmaxOfGroup {
  const Formula& formula;
  const Tensor& scores;
  const reference::Mask& zeroed;  // empty, or 0 where a cell is zeroed late
  DType precision;

  void operator()(const Group& group, Tensor& weights) const {
    const double shift = maximum(group);
    long double sum = 0.0L;
    long double all = 0.0L;  // with the cells that are zeroed late
    for (std::size_t i = 0; i < group.count; ++i) {
      const std::size_t cell = group.start + i * group.stride;
      const bool zero = !zeroed.data.empty() && zeroed.data[cell] == 0;
      const double power = bounded_exp(scores.data[cell] - shift, precision);
      weights.data[cell] = zero ? 0.0 : power;
      sum += weights.data[cell];
      all += power;
    }
    sum += formula.epsilon * (formula.epsilon_on_shares ? all : 1.0L);
    if (divides_by_sum(formula.softmax)) {
      divide(group, static_cast<double>(sum), weights);
    }
  }

 private:
  double maximum(const Group& group) const {
    if (!subtracts_maximum(formula.softmax)) {
      return 0.0;
    }
    double result = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < group.count; ++i) {
      result = std::max(result, scores.data[group.start + i * group.stride]);
    }
    return result;
  }

  static void divide(const Group& group, double sum, Tensor& weights) {
    for (std::size_t i = 0; i < group.count; ++i) {
      weights.data[group.start + i * group.stride] /= sum;
    }
  }
};

Tensor negate(Tensor scores) {
  for (double& score : scores.data) {
    // A hidden score stays hidden: the mask comes after the sign.
    if (score != -std::numeric_limits<double>::infinity()) {
      score = -score;
    }
  }
  return scores;
}

// Exponents below which exp() is no longer a normal number: log of the smallest
// one of the format.
double normal_exponent_range(DType precision) {
  switch (precision) {
    case DType::float64:
    case DType::integer:
    case DType::boolean:
      return 708.0;
    case DType::float32:
    case DType::bfloat16:
      return 87.0;
    case DType::float16:
      return 9.7;
  }
  return 708.0;
}

}  // namespace

Tensor apply_softmax(const Formula& formula, const Tensor& scores,
                     const std::optional<reference::Mask>& mask,
                     DType precision) {
  if (formula.softmax == Softmax::missing) {
    return scores;
  }
  if (formula.softmax == Softmax::negated) {
    Formula plain = formula;
    plain.softmax = Softmax::over_keys;
    return apply_softmax(plain, negate(scores), mask, precision);
  }
  const bool zero_late = mask && formula.softmax == Softmax::renormalised_mask;
  const reference::Mask zeroed =
      zero_late ? reference::broadcast_to(*mask, scores.shape)
                : reference::Mask{};
  const SoftmaxOfGroup softmax{formula, scores, zeroed, precision};
  Tensor weights(scores.shape);
  for (const Group& group : groups_of(formula.softmax, scores.shape)) {
    softmax(group, weights);
  }
  return weights;
}

std::vector<std::uint8_t> rows_lost_to_underflow(const Tensor& scores,
                                                 const reference::Mask& mask,
                                                 DType precision) {
  const reference::Mask keep = reference::broadcast_to(mask, scores.shape);
  const double range = 0.9 * normal_exponent_range(precision);
  std::vector<std::uint8_t> rows;
  const int last = scores.rank() - 1;
  for (const Group& row : groups_along(scores.shape, last)) {
    double all = -std::numeric_limits<double>::infinity();
    double allowed = all;
    for (std::size_t cell = row.start; cell < row.start + row.count; ++cell) {
      all = std::max(all, scores.data[cell]);
      if (keep.data[cell] != 0) {
        allowed = std::max(allowed, scores.data[cell]);
      }
    }
    rows.push_back(all - allowed > range ? 1 : 0);
  }
  return rows;
}

}  // namespace grader
