// SPDX-License-Identifier: MIT
#include "reference/attention.hpp"

#include <cmath>
#include <stdexcept>

#include "reference/mask.hpp"
#include "reference/softmax.hpp"

namespace reference {
namespace {

void require_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto leading = [](const Tensor& tensor) {
    return Shape(tensor.shape.begin(), tensor.shape.end() - 2);
  };
  const auto refuse = [&](const std::string& reason) {
    throw std::invalid_argument("attention of q " + to_string(q.shape) +
                                ", k " + to_string(k.shape) + ", v " +
                                to_string(v.shape) + ": " + reason);
  };
  if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2) {
    refuse("needs two axes or more");
  }
  if (leading(q) != leading(k) || leading(k) != leading(v)) {
    refuse("the leading axes differ");
  }
  if (q.size(-1) != k.size(-1)) {
    refuse("queries and keys differ in width");
  }
  if (k.size(-2) != v.size(-2)) {
    refuse("the numbers of keys and values differ");
  }
  if (q.size(-1) == 0) {
    refuse("queries and keys have no width");
  }
}

std::size_t row_count(const Tensor& tensor) {
  return static_cast<std::size_t>(
      element_count(Shape(tensor.shape.begin(), tensor.shape.end() - 1)));
}

Shape with_last_axis(Shape shape, std::int64_t size) {
  shape.back() = size;
  return shape;
}

std::span<const double> row_of(const Tensor& tensor, std::size_t row) {
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  return std::span(tensor.data).subspan(row * width, width);
}

// Scaled scores of one query (d_k) against the rows of k from `first_key` on.
void score(std::span<long double> scores, std::span<const double> query,
           const Tensor& k, std::size_t first_key) {
  const long double scale = std::sqrt(static_cast<long double>(query.size()));
  for (std::size_t key = 0; key < scores.size(); ++key) {
    scores[key] = dot(query, row_of(k, first_key + key)) / scale;
  }
}

// Weighted mean of one column of the values.
long double mean(std::span<const long double> weights,
                 std::span<const double> column) {
  long double sum = 0;
  for (std::size_t key = 0; key < weights.size(); ++key) {
    sum += weights[key] * static_cast<long double>(column[key]);
  }
  return sum;
}

}  // namespace

// Scores and weights of a row stay long double until they are stored: at scores
// of 1000, one rounding of a score to float64 costs up to 1e-14 in a weight.
Attention attention(const Tensor& q, const Tensor& k, const Tensor& v,
                    const std::optional<Mask>& mask) {
  require_shapes(q, k, v);
  const auto n = static_cast<std::size_t>(q.size(-2));
  const auto m = static_cast<std::size_t>(k.size(-2));
  const auto d_v = static_cast<std::size_t>(v.size(-1));
  Attention result{Tensor(with_last_axis(q.shape, v.size(-1))),
                   Tensor(with_last_axis(q.shape, k.size(-2)))};
  const std::vector<std::uint8_t> allowed =
      mask ? broadcast_to(*mask, result.weights.shape).data
           : std::vector<std::uint8_t>(result.weights.data.size(), 1);
  const Tensor columns = swap_last_axes(v);
  const std::size_t rows = row_count(q);

  std::vector<long double> row(m);
  for (std::size_t query = 0; query < rows; ++query) {
    const std::size_t matrix = query / n;
    score(row, row_of(q, query), k, matrix * m);
    softmax_in_place(row, std::span(allowed).subspan(query * m, m));
    for (std::size_t key = 0; key < m; ++key) {
      result.weights.data[query * m + key] = static_cast<double>(row[key]);
    }
    for (std::size_t column = 0; column < d_v; ++column) {
      result.output.data[query * d_v + column] = static_cast<double>(
          mean(row, row_of(columns, matrix * d_v + column)));
    }
  }
  return result;
}

Attention causal_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  require_shapes(q, k, v);
  if (q.size(-2) != k.size(-2)) {
    throw std::invalid_argument("causal attention of q " + to_string(q.shape) +
                                " and k " + to_string(k.shape) +
                                ": as many keys as queries are needed");
  }
  return attention(q, k, v, causal_mask(q.size(-2), k.size(-2)));
}

}  // namespace reference
