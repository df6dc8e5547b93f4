// SPDX-License-Identifier: MIT
#include "grader/example/worked_row.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "grader/example/smallest_example.hpp"
#include "grader/example/snippet.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Three decimals; integers as they are, the tiny with two digits.
std::string short_number(double value) {
  constexpr double tiny = 0.001;
  if (value == 0.0) {
    return "0";  // without the sign that a product may leave
  }
  std::array<char, 400> buffer{};  // holds any double in fixed notation
  if (std::abs(value) < tiny) {
    std::snprintf(buffer.data(), buffer.size(), "%.1e", value);
  } else {
    const int decimals = value == std::round(value) ? 0 : 3;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  }
  return buffer.data();
}

std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    text += (text.empty() ? "" : ", ") + short_number(number);
  }
  return text;
}

std::string product(double a, double b) {
  const std::string right = short_number(b);
  return short_number(a) + "*" + (b < 0.0 ? "(" + right + ")" : right);
}

// "1*1 + 0*2 = 1"
std::string sum_of_products(const std::vector<double>& a,
                            const std::vector<double>& b) {
  std::string text;
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    text += (i == 0 ? "" : " + ") + product(a[i], b[i]);
    sum += a[i] * b[i];
  }
  return text + " = " + short_number(sum);
}

// q, k and v with the leading axes of the scores.
struct Operands {
  Tensor q, k, v;
};

Operands operands_of(const Case& input) {
  const Dimensions& sizes = input.dimensions;
  const auto projected = [&input](const char* weight) {
    return reference::matmul(argument(input, "x"), argument(input, weight));
  };
  switch (input.kind) {
    case Kind::attention:
      return {argument(input, "q"), argument(input, "k"), argument(input, "v")};
    case Kind::self_attention:
      return {projected("w_q"), projected("w_k"), projected("w_v")};
    case Kind::multi_head_attention:
      return {reference::split_heads(projected("w_q"), sizes.heads),
              reference::split_heads(projected("w_k"), sizes.heads),
              reference::split_heads(projected("w_v"), sizes.heads)};
    case Kind::grouped_query_attention: {
      const std::int64_t group = sizes.heads / sizes.kv_heads;
      return {argument(input, "q"),
              reference::repeat(argument(input, "k"), group, 1),
              reference::repeat(argument(input, "v"), group, 1)};
    }
  }
  return {};
}

class Arithmetic {
 public:
  explicit Arithmetic(const Case& input)
      : input_(input),
        operands_(operands_of(input)),
        n_(static_cast<std::size_t>(input.dimensions.n)),
        m_(static_cast<std::size_t>(input.dimensions.m)) {}

  // From the operands to the weights, for a row of the weights.
  std::string weights(std::size_t row) const {
    const std::vector<double> query = row_of(operands_.q, row);
    std::string terms;
    for (std::size_t j = 0; j < m_; ++j) {
      terms += (j == 0 ? "" : ", ") +
               sum_of_products(query, row_of(operands_.k, key_row(row, j)));
    }
    return projections(row) + "scores of query " + std::to_string(row % n_) +
           ": " + terms + softmax(row);
  }

  // The same without the products.
  std::string brief_weights(std::size_t row) const {
    return "scores " + listed(scores(row, 1.0)) + softmax(row);
  }

  // The last step of one head, on top of weights().
  std::string weighted_sum(std::size_t row) const {
    const std::vector<double> weight = row_of(input_.expected.weights, row);
    std::string text;
    for (const std::vector<double>& column : value_columns(row)) {
      text += (text.empty() ? "; times v: " : ", ") +
              sum_of_products(weight, column);
    }
    return text;
  }

  std::string brief_weighted_sum(std::size_t row) const {
    const std::vector<double> weight = row_of(input_.expected.weights, row);
    std::vector<double> sums;
    for (const std::vector<double>& column : value_columns(row)) {
      sums.push_back(static_cast<double>(reference::dot(weight, column)));
    }
    return "; times v: " + listed(sums);
  }

 private:
  std::vector<double> scores(std::size_t row, double divisor) const {
    const std::vector<double> query = row_of(operands_.q, row);
    std::vector<double> result;
    for (std::size_t j = 0; j < m_; ++j) {
      const std::vector<double> key = row_of(operands_.k, key_row(row, j));
      result.push_back(static_cast<double>(reference::dot(query, key)) /
                       divisor);
    }
    return result;
  }

  // "; divided by sqrt(2): 0.707, 0; softmax: 0.670, 0.330"
  std::string softmax(std::size_t row) const {
    const std::int64_t d_k = input_.dimensions.d_k;
    const double divisor = std::sqrt(static_cast<double>(d_k));
    return "; divided by sqrt(" + std::to_string(d_k) +
           "): " + listed(scores(row, divisor)) + hidden_keys(row) +
           "; softmax: " + listed(row_of(input_.expected.weights, row));
  }

  // Of the values that this row weighs, feature by feature.
  std::vector<std::vector<double>> value_columns(std::size_t row) const {
    std::vector<std::vector<double>> columns(
        static_cast<std::size_t>(operands_.v.size(-1)));
    for (std::size_t j = 0; j < m_; ++j) {
      const std::vector<double> value = row_of(operands_.v, key_row(row, j));
      for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].push_back(value[i]);
      }
    }
    return columns;
  }

  // The row of k or v of key j, in the matrix of that row of the weights.
  std::size_t key_row(std::size_t row, std::size_t j) const {
    return row / n_ * m_ + j;
  }

  // "q = x @ w_q = [1, 0] and k = x @ w_k = [1, 0], [0, 1]; "
  std::string projections(std::size_t row) const {
    if (input_.dimensions.d_model == 0) {
      return {};
    }
    std::string keys;
    for (std::size_t j = 0; j < m_; ++j) {
      keys += (j == 0 ? "[" : ", [") +
              listed(row_of(operands_.k, key_row(row, j))) + "]";
    }
    return "q = x @ w_q = [" + listed(row_of(operands_.q, row)) +
           "] and k = x @ w_k = " + keys + "; ";
  }

  std::string hidden_keys(std::size_t row) const {
    const auto mask = effective_mask(input_);
    if (!mask) {
      return {};
    }
    const reference::Mask whole =
        reference::broadcast_to(*mask, scores_shape(input_));
    std::string keys;
    for (std::size_t j = 0; j < m_; ++j) {
      if (whole.data[row * m_ + j] == 0) {
        keys += (keys.empty() ? "" : ", ") + std::to_string(j);
      }
    }
    return keys.empty() ? "" : "; hidden: key " + keys;
  }

  const Case& input_;
  Operands operands_;
  std::size_t n_;
  std::size_t m_;
};

// Which matrix, where there are several: "batch 1, head 0: ". `leading` are the
// axes before its rows and columns.
std::string matrix_name(const reference::Shape& leading, bool has_heads,
                        std::size_t matrix) {
  if (reference::element_count(leading) == 1) {
    return {};
  }
  std::string text;
  for (std::size_t axis = leading.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(leading[axis]);
    const bool is_head = has_heads && axis + 1 == leading.size();
    std::string name = is_head ? "head " : "batch ";
    name += std::to_string(matrix % size) + (text.empty() ? ": " : ", ");
    text.insert(0, name);
    matrix /= size;
  }
  return text;
}

std::string matrix_of_weights(const Case& input, std::size_t row) {
  reference::Shape leading = scores_shape(input);
  leading.resize(leading.size() - 2);
  const bool has_heads =
      input.kind == Kind::multi_head_attention || input.rank >= 4;
  return matrix_name(leading, has_heads,
                     row / static_cast<std::size_t>(input.dimensions.n));
}

// Row `row` of the output holds a row of each head.
std::string merged_heads(const Case& input, std::size_t row) {
  const auto n = static_cast<std::size_t>(input.dimensions.n);
  const auto heads = static_cast<std::size_t>(input.dimensions.heads);
  const Arithmetic arithmetic(input);
  const std::string result = listed(row_of(input.expected.output, row));
  if (heads == 1) {
    return matrix_of_weights(input, row) + arithmetic.weights(row) +
           arithmetic.weighted_sum(row) + "; times w_o: " + result;
  }
  std::string text;
  for (std::size_t head = 0; head < heads; ++head) {
    const std::size_t own = (row / n * heads + head) * n + row % n;
    text += matrix_of_weights(input, own) + arithmetic.brief_weights(own) +
            arithmetic.brief_weighted_sum(own) + "; ";
  }
  return text + "side by side, times w_o: " + result;
}

}  // namespace

std::string work_out_weights(const Case& input, std::size_t row) {
  return matrix_of_weights(input, row) + Arithmetic(input).weights(row);
}

std::string work_out_output(const Case& input, std::size_t row) {
  if (input.kind == Kind::multi_head_attention) {
    return merged_heads(input, row);
  }
  const Arithmetic arithmetic(input);
  return matrix_of_weights(input, row) + arithmetic.weights(row) +
         arithmetic.weighted_sum(row);
}

}  // namespace grader
