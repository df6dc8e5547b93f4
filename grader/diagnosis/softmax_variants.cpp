// SPDX-License-Identifier: MIT
#include "grader/diagnosis/softmax_variants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
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
    default:
      break;
  }
  return groups_along(shape, rank - 1);
}

double maximum(const Tensor& scores, const Group& group) {
  double result = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < group.count; ++i) {
    // NaN wins, as in numpy.
    const double score = scores.data[group.start + i * group.stride];
    result = std::isnan(score) || std::isnan(result)
                 ? std::numeric_limits<double>::quiet_NaN()
                 : std::max(result, score);
  }
  return result;
}

// One number a group, in the shape of the scores.
template <typename Statistic>
Tensor spread(const std::vector<Group>& groups, const reference::Shape& shape,
              Statistic statistic) {
  Tensor result(shape);
  for (const Group& group : groups) {
    const double value = statistic(group);
    for (std::size_t i = 0; i < group.count; ++i) {
      result.data[group.start + i * group.stride] = value;
    }
  }
  return result;
}

Tensor spread_maxima(const Tensor& scores, const std::vector<Group>& groups) {
  return spread(groups, scores.shape,
                [&](const Group& group) { return maximum(scores, group); });
}

Tensor spread_sums(const Tensor& powers, const std::vector<Group>& groups) {
  return spread(groups, powers.shape, [&](const Group& group) {
    long double sum = 0.0L;
    for (std::size_t i = 0; i < group.count; ++i) {
      sum += powers.data[group.start + i * group.stride];
    }
    return static_cast<double>(sum);
  });
}

std::vector<Group> rows_of(const reference::Shape& shape) {
  return groups_along(shape, static_cast<int>(shape.size()) - 1);
}

std::vector<Group> columns_of(const reference::Shape& shape) {
  return groups_along(shape, static_cast<int>(shape.size()) - 2);
}

// A statistic of the rows, (..., n), that numpy broadcasts along the columns of
// (..., n, m). Throws std::invalid_argument where it refuses.
Tensor without_kept_axis(const Tensor& row_statistic) {
  const auto m = static_cast<std::size_t>(row_statistic.size(-1));
  reference::Shape shape = row_statistic.shape;
  shape.pop_back();
  Tensor lost(shape);
  for (std::size_t row = 0; row < lost.data.size(); ++row) {
    lost.data[row] = row_statistic.data[row * m];
  }
  return reference::broadcast_to(lost, row_statistic.shape);
}

// The same within each matrix: column j gets the statistic of row j.
Tensor to_columns(const Tensor& row_statistic) {
  if (row_statistic.size(-1) != row_statistic.size(-2)) {
    throw std::invalid_argument("statistics of rows along columns of shape " +
                                reference::to_string(row_statistic.shape));
  }
  return reference::swap_last_axes(row_statistic);
}

// Cell by cell.
template <typename Operation>
Tensor combine_cells(const Tensor& a, const Tensor& b, Operation operation) {
  Tensor result(a.shape);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = operation(a.data[i], b.data[i]);
  }
  return result;
}

template <typename Operation>
Tensor each_cell(Tensor tensor, Operation operation) {
  for (double& value : tensor.data) {
    value = operation(value);
  }
  return tensor;
}

Tensor divide(const Tensor& a, const Tensor& b) {
  return combine_cells(a, b, [](double x, double y) { return x / y; });
}

Tensor divide_rows_by_length(const Tensor& tensor) {
  const Tensor squares =
      each_cell(tensor, [](double value) { return value * value; });
  return divide(tensor, each_cell(spread_sums(squares, rows_of(tensor.shape)),
                                  [](double sum) { return std::sqrt(sum); }));
}

Tensor negate(Tensor scores) {
  for (double& score : scores.data) {
    // A hidden score stays hidden: the mask comes after the sign.
    if (score != -std::numeric_limits<double>::infinity()) {
      score = -score;
    }
  }
  return scores;
}

// The softmax of one formula.
struct SoftmaxStage {
  const Formula& formula;
  const std::optional<reference::Mask>& mask;
  DType precision;

  Tensor weights(const Tensor& z) const {
    if (auto direct = without_powers(z)) {
      return std::move(*direct);
    }
    switch (formula.softmax) {
      case Softmax::over_keys:
      case Softmax::over_queries:
      case Softmax::over_batch:
      case Softmax::over_heads:
      case Softmax::over_matrix:
      case Softmax::over_all:
        return distribution(z, groups_of(formula.softmax, z.shape));
      case Softmax::unnormalised:
        return powers(z, row_maxima(z));
      case Softmax::unnormalised_raw:
        return powers(z, zeros(z));
      case Softmax::sums_lose_axis:
      case Softmax::maxima_lose_axis:
      case Softmax::both_lose_axis:
      case Softmax::sums_to_columns:
      case Softmax::both_to_columns:
      case Softmax::column_sums:
      case Softmax::column_sums_to_rows:
      case Softmax::column_maxima:
        return misplaced_statistic(z);
      case Softmax::twice:
        return distribution(distribution(z, rows_of(z.shape)),
                            rows_of(z.shape));
      case Softmax::twice_masked:
        return distribution(hidden(distribution(z, rows_of(z.shape))),
                            rows_of(z.shape));
      case Softmax::plus_one:
      case Softmax::plus_one_raw:
      case Softmax::plus_one_shifted:
        return with_one_more(z);
      case Softmax::l2_of_powers:
        return divide_rows_by_length(powers(z, row_maxima(z)));
      case Softmax::no_max_shift:
      case Softmax::global_max:
      case Softmax::matrix_max:
      case Softmax::constant_shift:
      case Softmax::running_max:
        return shifted_by(z, shift_of(z));
      case Softmax::negated:
        return distribution(negate(z), rows_of(z.shape));
      case Softmax::renormalised_mask:
        return masked_late(z);
      default:
        break;
    }
    return z;
  }

 private:
  // The variants that are no exponentials divided by sums of them.
  std::optional<Tensor> without_powers(const Tensor& z) const {
    switch (formula.softmax) {
      case Softmax::over_singleton:
        return each_cell(z, [](double score) {
          return std::isfinite(score)
                     ? 1.0
                     : std::numeric_limits<double>::quiet_NaN();
        });
      case Softmax::missing:
        return z;
      case Softmax::missing_divided:
        return divided_by_sum(z);
      case Softmax::sigmoid:
        return sigmoid(z);
      case Softmax::sigmoid_divided:
        return divided_by_sum(sigmoid(z));
      case Softmax::relu:
        return relu(z);
      case Softmax::relu_divided:
        return divided_by_sum(relu(z));
      case Softmax::log:
        return logarithm(z);
      case Softmax::l2:
        return divide_rows_by_length(z);
      default:
        break;
    }
    return std::nullopt;
  }

  static Tensor zeros(const Tensor& z) { return Tensor(z.shape); }

  static Tensor row_maxima(const Tensor& z) {
    return spread_maxima(z, rows_of(z.shape));
  }

  // What is subtracted in place of the row maximum.
  Tensor shift_of(const Tensor& z) const {
    if (formula.softmax == Softmax::global_max) {
      return spread_maxima(z, groups_of(Softmax::over_all, z.shape));
    }
    if (formula.softmax == Softmax::matrix_max) {
      return spread_maxima(z, groups_of(Softmax::over_matrix, z.shape));
    }
    if (formula.softmax == Softmax::running_max) {
      return each_cell(row_maxima(z), [this](double largest) {
        return std::max(largest, formula.shift);
      });
    }
    return Tensor(z.shape, formula.softmax == Softmax::constant_shift
                               ? formula.shift
                               : 0.0);
  }

  Tensor shift_or(Tensor own, const Tensor& z) const {
    switch (formula.exponent_shift) {
      case Shift::own:
        break;
      case Shift::none:
        return zeros(z);
      case Shift::largest:
        return spread_maxima(z, groups_of(Softmax::over_all, z.shape));
    }
    return own;
  }

  Tensor powers(const Tensor& z, const Tensor& shift) const {
    return combine_cells(z, shift, [this](double score, double largest) {
      return bounded_exp(score - largest, precision);
    });
  }

  // NaN stays NaN, as with np.maximum.
  double denominator(double sum, double epsilon) const {
    return formula.epsilon_is_least ? std::max(sum, epsilon) : sum + epsilon;
  }

  Tensor divided(const Tensor& weights, Tensor sums) const {
    for (double& sum : sums.data) {
      sum = denominator(sum, formula.epsilon_on_shares ? formula.epsilon * sum
                                                       : formula.epsilon);
    }
    return ratio(weights, sums);
  }

  // exp of a score minus the maximum of nothing is NaN, and so is its sum.
  Tensor ratio(const Tensor& weights, const Tensor& sums) const {
    Tensor result = divide(weights, sums);
    if (formula.guarded) {
      for (std::size_t i = 0; i < result.data.size(); ++i) {
        if (sums.data[i] == 0.0 || std::isnan(sums.data[i])) {
          result.data[i] = 0.0;
        }
      }
    }
    return result;
  }

  Tensor divided_by_sum(const Tensor& weights) const {
    return divided(weights, spread_sums(weights, rows_of(weights.shape)));
  }

  Tensor distribution(const Tensor& z, const std::vector<Group>& groups) const {
    const Tensor exponentials =
        powers(z, shift_or(spread_maxima(z, groups), z));
    return divided(exponentials, spread_sums(exponentials, groups));
  }

  Tensor shifted_by(const Tensor& z, const Tensor& shift) const {
    const Tensor exponentials = powers(z, shift);
    return divided(exponentials, spread_sums(exponentials, rows_of(z.shape)));
  }

  Tensor masked_late(const Tensor& z) const {
    const Tensor all = powers(z, row_maxima(z));
    Tensor kept = all;
    if (mask) {
      const reference::Mask keep = reference::broadcast_to(*mask, z.shape);
      for (std::size_t i = 0; i < kept.data.size(); ++i) {
        kept.data[i] = keep.data[i] == 0 ? 0.0 : kept.data[i];
      }
    }
    Tensor sums = spread_sums(kept, rows_of(z.shape));
    if (formula.epsilon_on_shares) {
      const Tensor whole = spread_sums(all, rows_of(z.shape));
      for (std::size_t i = 0; i < sums.data.size(); ++i) {
        sums.data[i] =
            denominator(sums.data[i], formula.epsilon * whole.data[i]);
      }
      return ratio(kept, sums);
    }
    return divided(kept, std::move(sums));
  }

  Tensor hidden(Tensor weights) const {
    if (mask) {
      const reference::Mask keep =
          reference::broadcast_to(*mask, weights.shape);
      for (std::size_t i = 0; i < weights.data.size(); ++i) {
        if (keep.data[i] == 0) {
          weights.data[i] = -std::numeric_limits<double>::infinity();
        }
      }
    }
    return weights;
  }

  Tensor misplaced(const Tensor& row_statistic) const {
    const bool within_matrix = formula.softmax == Softmax::sums_to_columns ||
                               formula.softmax == Softmax::both_to_columns ||
                               formula.softmax == Softmax::column_sums_to_rows;
    return within_matrix ? to_columns(row_statistic)
                         : without_kept_axis(row_statistic);
  }

  Tensor misplaced_statistic(const Tensor& z) const {
    const Softmax form = formula.softmax;
    const bool moves_maxima = form == Softmax::maxima_lose_axis ||
                              form == Softmax::both_lose_axis ||
                              form == Softmax::both_to_columns;
    const bool moves_sums =
        form == Softmax::sums_lose_axis || form == Softmax::both_lose_axis ||
        form == Softmax::sums_to_columns || form == Softmax::both_to_columns ||
        form == Softmax::column_sums_to_rows;
    const Tensor maxima =
        spread_maxima(z, form == Softmax::column_maxima ? columns_of(z.shape)
                                                        : rows_of(z.shape));
    const Tensor exponentials =
        powers(z, shift_or(moves_maxima ? misplaced(maxima) : maxima, z));
    const bool of_columns =
        form == Softmax::column_sums || form == Softmax::column_sums_to_rows;
    const Tensor sums = spread_sums(
        exponentials, of_columns ? columns_of(z.shape) : rows_of(z.shape));
    return ratio(exponentials, moves_sums ? misplaced(sums) : sums);
  }

  Tensor sigmoid(const Tensor& z) const {
    return each_cell(z, [this](double score) {
      return 1.0 / (1.0 + bounded_exp(-score, precision));
    });
  }

  static Tensor relu(const Tensor& z) {
    return each_cell(z, [](double score) {
      return std::isnan(score) ? score : std::max(score, 0.0);
    });
  }

  Tensor with_one_more(const Tensor& z) const {
    const Tensor maxima =
        formula.softmax == Softmax::plus_one_raw ? zeros(z) : row_maxima(z);
    const Tensor exponentials = powers(z, maxima);
    Tensor sums = spread_sums(exponentials, rows_of(z.shape));
    for (std::size_t i = 0; i < sums.data.size(); ++i) {
      sums.data[i] += formula.softmax == Softmax::plus_one
                          ? bounded_exp(-maxima.data[i], precision)
                          : 1.0;
    }
    return divide(exponentials, sums);
  }

  Tensor logarithm(const Tensor& z) const {
    const Tensor maxima = row_maxima(z);
    const Tensor sums = spread_sums(powers(z, maxima), rows_of(z.shape));
    Tensor result = z;
    for (std::size_t i = 0; i < result.data.size(); ++i) {
      result.data[i] -= maxima.data[i] + std::log(sums.data[i]);
    }
    return result;
  }
};

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
  return SoftmaxStage{formula, mask, precision}.weights(scores);
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
