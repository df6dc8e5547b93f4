// SPDX-License-Identifier: MIT
#include "grader/worker/recover.hpp"

#include <algorithm>
#include <cmath>

#include "grader/fixture/mask_shape.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Mask;
using reference::Shape;
using reference::Tensor;

constexpr std::size_t value_argument = 2;       // v
constexpr std::size_t projection_argument = 3;  // w_v
constexpr std::size_t merge_argument = 4;       // w_o

// Leading axes of the first argument: everything but its last two.
std::int64_t count_entries(const Case& test_case) {
  Shape leading = test_case.arguments.at(0).tensor.shape;
  leading.resize(leading.size() - 2);
  return reference::element_count(leading);
}

std::size_t unsigned_size(std::int64_t size) {
  return static_cast<std::size_t>(size);
}

// One entry of the flattened leading axes; those axes stay, with size 1.
Tensor cut_out(const Tensor& tensor, std::int64_t entry) {
  Shape shape = tensor.shape;
  std::fill(shape.begin(), shape.end() - 2, 1);
  const std::int64_t size = reference::element_count(shape);
  const auto begin = tensor.data.begin() + entry * size;
  return Tensor(shape, std::vector<double>(begin, begin + size));
}

// mask[entry:entry + 1]
Mask cut_out_row(const Mask& mask, std::int64_t entry) {
  Shape shape = mask.shape;
  shape.front() = 1;
  const std::int64_t size = reference::element_count(shape);
  const auto begin = mask.data.begin() + entry * size;
  return {shape, std::vector<std::uint8_t>(begin, begin + size)};
}

// The part of a mask for one entry of x's leading axes. A mask without those
// axes, or with size 1 there, is the same for every entry.
Mask cut_out(const Mask& mask, std::int64_t entry, const Case& test_case) {
  if (test_case.mask_recipe && test_case.mask_recipe->axes) {
    return has_batch(*test_case.mask_recipe->axes, test_case)
               ? cut_out_row(mask, entry)
               : mask;
  }
  const Shape scores = scores_shape(test_case);
  const std::size_t cut = test_case.arguments.at(0).tensor.shape.size() - 2;
  if (mask.shape.size() < scores.size()) {
    return mask;
  }
  // Broadcast along the axes that are cut, so that `entry` counts them.
  Shape full = mask.shape;
  std::copy_n(scores.begin(), cut, full.begin());
  const Mask whole = reference::broadcast_to(mask, full);
  std::fill_n(full.begin(), cut, 1);
  const std::int64_t size = reference::element_count(full);
  const auto begin = whole.data.begin() + entry * size;
  return {full, std::vector<std::uint8_t>(begin, begin + size)};
}

// v with v[..., first + c, c] = 1.
Tensor one_hot_values(const Shape& shape, std::int64_t first) {
  Tensor values(shape);
  const std::int64_t m = values.size(-2);
  const std::int64_t width = values.size(-1);
  const std::int64_t matrices = reference::element_count(shape) / (m * width);
  for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
    for (std::int64_t c = 0; c < std::min(width, m - first); ++c) {
      values.data[unsigned_size((matrix * m + first + c) * width + c)] = 1.0;
    }
  }
  return values;
}

std::vector<RecoveryCall> calls_with_values(const Case& test_case) {
  const Shape& shape = test_case.arguments.at(value_argument).tensor.shape;
  const std::int64_t m = shape.at(shape.size() - 2);
  const std::int64_t width = shape.back();
  std::vector<RecoveryCall> calls;
  for (std::int64_t first = 0; first < m; first += width) {
    RecoveryCall recovery{make_call(test_case), 0, first};
    recovery.call.arguments[value_argument].tensor =
        one_hot_values(shape, first);
    calls.push_back(std::move(recovery));
  }
  return calls;
}

// w_v (C, columns) whose columns h * width + j are column j of pinv(x), for
// every head h: x @ w_v holds the identity once a head.
Tensor one_hot_projection(const Tensor& inverse, std::int64_t columns,
                          std::int64_t width) {
  const std::int64_t d_model = inverse.size(0);
  const std::int64_t n = inverse.size(1);
  Tensor projection({d_model, columns});
  for (std::int64_t c = 0; c < d_model; ++c) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t j = column % width;
      if (j < n) {
        projection.data[unsigned_size(c * columns + column)] =
            inverse.data[unsigned_size(c * n + j)];
      }
    }
  }
  return projection;
}

Tensor identity(std::int64_t size) {
  Tensor result({size, size});
  for (std::int64_t i = 0; i < size; ++i) {
    result.data[unsigned_size(i * size + i)] = 1.0;
  }
  return result;
}

std::optional<RecoveryCall> call_for_entry(const Case& test_case,
                                           std::int64_t entry) {
  RecoveryCall recovery{make_call(test_case), entry, 0};
  Call& call = recovery.call;
  Tensor& x = call.arguments.at(0).tensor;
  x = cut_out(x, entry);
  const auto inverse =
      right_inverse(reference::reshape(x, {x.size(-2), x.size(-1)}));
  if (!inverse) {
    return std::nullopt;
  }
  Tensor& projection = call.arguments.at(projection_argument).tensor;
  projection = one_hot_projection(*inverse, projection.size(-1),
                                  test_case.dimensions.d_v);
  if (test_case.kind == Kind::multi_head_attention) {
    call.arguments.at(merge_argument).tensor =
        identity(test_case.dimensions.d_model);
  } else {
    call.dimensions.heads = std::min<std::int64_t>(call.dimensions.heads, 1);
  }
  call.dimensions.batch = std::min<std::int64_t>(call.dimensions.batch, 1);
  if (call.mask) {
    call.mask = cut_out(*call.mask, entry, test_case);
  }
  return recovery;
}

std::vector<RecoveryCall> calls_with_projection(const Case& test_case) {
  std::vector<RecoveryCall> calls;
  if (test_case.dimensions.n > test_case.dimensions.d_v) {
    return calls;
  }
  for (std::int64_t entry = 0; entry < count_entries(test_case); ++entry) {
    auto recovery = call_for_entry(test_case, entry);
    if (!recovery) {
      return {};
    }
    calls.push_back(std::move(*recovery));
  }
  return calls;
}

// Gauss-Jordan elimination with row exchanges on [a | inverse], row-major.
class Inversion {
 public:
  Inversion(std::vector<long double> matrix, std::size_t size)
      : a_(std::move(matrix)), inverse_(size * size), size_(size) {
    for (std::size_t i = 0; i < size_; ++i) {
      inverse_[i * size_ + i] = 1.0L;
    }
  }

  // The inverse of a matrix whose entries are about 1, or nothing if it is
  // singular for all that can be told.
  std::optional<std::vector<long double>> run() {
    constexpr long double smallest_pivot = 1e-10L;
    for (std::size_t column = 0; column < size_; ++column) {
      exchange_rows(column, pivot_row(column));
      const long double pivot = a_[column * size_ + column];
      if (!(std::fabs(pivot) > smallest_pivot)) {
        return std::nullopt;
      }
      for (std::size_t j = 0; j < size_; ++j) {
        a_[column * size_ + j] /= pivot;
        inverse_[column * size_ + j] /= pivot;
      }
      eliminate(column);
    }
    return inverse_;
  }

 private:
  std::size_t pivot_row(std::size_t column) const {
    std::size_t best = column;
    for (std::size_t row = column; row < size_; ++row) {
      if (std::fabs(a_[row * size_ + column]) >
          std::fabs(a_[best * size_ + column])) {
        best = row;
      }
    }
    return best;
  }

  void exchange_rows(std::size_t first, std::size_t second) {
    for (std::size_t j = 0; j < size_; ++j) {
      std::swap(a_[first * size_ + j], a_[second * size_ + j]);
      std::swap(inverse_[first * size_ + j], inverse_[second * size_ + j]);
    }
  }

  void eliminate(std::size_t column) {
    for (std::size_t row = 0; row < size_; ++row) {
      const long double factor = a_[row * size_ + column];
      if (row == column || factor == 0.0L) {
        continue;
      }
      for (std::size_t j = 0; j < size_; ++j) {
        a_[row * size_ + j] -= factor * a_[column * size_ + j];
        inverse_[row * size_ + j] -= factor * inverse_[column * size_ + j];
      }
    }
  }

  std::vector<long double> a_;
  std::vector<long double> inverse_;
  std::size_t size_;
};

std::vector<long double> row_norms(const Tensor& x) {
  const std::size_t n = unsigned_size(x.size(0));
  const std::size_t d_model = unsigned_size(x.size(1));
  std::vector<long double> norms(n, 0.0L);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < d_model; ++c) {
      const auto value = static_cast<long double>(x.data[i * d_model + c]);
      norms[i] += value * value;
    }
    norms[i] = std::sqrt(norms[i]);
  }
  return norms;
}

double largest_growth(const Tensor& x, const Tensor& projection) {
  const std::size_t n = unsigned_size(x.size(-2));
  const std::size_t d_model = unsigned_size(x.size(-1));
  const std::size_t columns = unsigned_size(projection.size(-1));
  double largest = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0.0;
      for (std::size_t c = 0; c < d_model; ++c) {
        sum += std::fabs(x.data[i * d_model + c] *
                         projection.data[c * columns + column]);
      }
      largest = std::max(largest, sum);
    }
  }
  return largest;
}

}  // namespace

std::vector<RecoveryCall> recovery_calls(const Case& test_case) {
  std::vector<RecoveryCall> calls = is_projected(test_case.kind)
                                        ? calls_with_projection(test_case)
                                        : calls_with_values(test_case);
  for (RecoveryCall& recovery : calls) {
    recovery.call.wants_weights = false;
  }
  return calls;
}

Shape recovery_shape(const Case& test_case) {
  Shape shape = test_case.arguments.at(0).tensor.shape;
  if (is_projected(test_case.kind)) {
    std::fill(shape.begin(), shape.end() - 2, 1);
  }
  if (test_case.kind != Kind::multi_head_attention) {
    shape.back() = test_case.dimensions.d_v;
  }
  return shape;
}

void take_columns(const Case& test_case, const RecoveryCall& call,
                  const Tensor& output, Tensor& weights) {
  const std::int64_t width = test_case.dimensions.d_v;
  const std::int64_t n = output.size(-2);
  const std::int64_t m = weights.size(-1);
  const bool is_merged = test_case.kind == Kind::multi_head_attention;
  const Tensor heads =
      is_merged ? reference::split_heads(output, test_case.dimensions.heads)
                : output;
  const std::int64_t matrices =
      reference::element_count(heads.shape) / (n * width);
  const std::int64_t shown = std::min(width, m - call.first_key);
  for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
    const std::int64_t target = call.entry * matrices + matrix;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t c = 0; c < shown; ++c) {
        weights.data[unsigned_size((target * n + i) * m + call.first_key + c)] =
            heads.data[unsigned_size((matrix * n + i) * width + c)];
      }
    }
  }
}

double recovery_growth(const Case& test_case,
                       const std::vector<RecoveryCall>& calls) {
  double growth = 1.0;
  if (!is_projected(test_case.kind)) {
    return growth;
  }
  for (const RecoveryCall& recovery : calls) {
    const auto& arguments = recovery.call.arguments;
    growth = std::max(growth,
                      largest_growth(arguments.at(0).tensor,
                                     arguments.at(projection_argument).tensor));
  }
  return growth;
}

std::optional<Tensor> right_inverse(const Tensor& x) {
  const std::size_t n = unsigned_size(x.size(0));
  const std::size_t d_model = unsigned_size(x.size(1));
  if (n > d_model) {
    return std::nullopt;
  }
  // With rows of length 1: x^T (x x^T)^-1 = y^T (y y^T)^-1 D^-1 for x = D y.
  const std::vector<long double> norms = row_norms(x);
  if (std::find(norms.begin(), norms.end(), 0.0L) != norms.end()) {
    return std::nullopt;
  }
  const auto y = [&](std::size_t i, std::size_t c) {
    return static_cast<long double>(x.data[i * d_model + c]) / norms[i];
  };
  std::vector<long double> gram(n * n, 0.0L);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t c = 0; c < d_model; ++c) {
        gram[i * n + j] += y(i, c) * y(j, c);
      }
    }
  }
  const auto inverse = Inversion(std::move(gram), n).run();
  if (!inverse) {
    return std::nullopt;
  }
  Tensor result({x.size(1), x.size(0)});
  for (std::size_t c = 0; c < d_model; ++c) {
    for (std::size_t j = 0; j < n; ++j) {
      long double sum = 0.0L;
      for (std::size_t i = 0; i < n; ++i) {
        sum += y(i, c) * (*inverse)[i * n + j];
      }
      result.data[c * n + j] = static_cast<double>(sum / norms[j]);
    }
  }
  return result;
}

}  // namespace grader
