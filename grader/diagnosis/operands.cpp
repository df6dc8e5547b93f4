// SPDX-License-Identifier: MIT
#include "grader/diagnosis/operands.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "grader/diagnosis/head_axes.hpp"
#include "grader/fixture/argument.hpp"

namespace grader {
namespace {

using reference::Shape;
using reference::Tensor;

const char* argument_name(Source source) {
  switch (source) {
    case Source::query:
      return "q";
    case Source::key:
      return "k";
    case Source::value:
      return "v";
    case Source::output:
    case Source::input:
      break;
  }
  throw std::invalid_argument("plain attention has no input to project");
}

const char* weight_name(Source source) {
  switch (source) {
    case Source::query:
      return "w_q";
    case Source::key:
      return "w_k";
    case Source::output:
      return "w_o";
    case Source::value:
    case Source::input:
      break;
  }
  return "w_v";
}

Tensor activate(Tensor tensor) {
  for (double& value : tensor.data) {
    value = std::max(value, 0.0);
  }
  return tensor;
}

Tensor take(const Operand& operand, const Case& test_case) {
  Tensor result;
  if (!is_projected(test_case.kind)) {
    result = argument(test_case, argument_name(operand.source));
  } else if (operand.source == Source::input) {
    result = argument(test_case, "x");
  } else {
    const Tensor& weight = argument(test_case, weight_name(operand.source));
    result = reference::matmul(
        argument(test_case, "x"),
        operand.weight_transposed ? reference::swap_last_axes(weight) : weight);
  }
  return operand.activated ? activate(std::move(result)) : result;
}

// Key heads repeated to the number of query heads.
Tensor group(const Tensor& heads, Grouping grouping, const Case& test_case) {
  const std::int64_t count =
      test_case.dimensions.heads / test_case.dimensions.kv_heads;
  switch (grouping) {
    case Grouping::repeat:
      return reference::repeat(heads, count, 1);
    case Grouping::tile:
      return tile_heads(heads, count);
    case Grouping::first_head:
      return take_entries(heads, EntryMap::first_head, test_case.dimensions,
                          test_case.dimensions.heads);
    case Grouping::along_tokens:
      return swap_tokens_and_heads(reference::reshape(
          tile_heads(heads, count), {heads.size(0), heads.size(2),
                                     heads.size(1) * count, heads.size(3)}));
  }
  return heads;
}

// Like a slice of numpy: at most the columns there are.
Tensor first_columns(const Tensor& tensor, std::int64_t count) {
  count = std::min(count, tensor.size(-1));
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  const auto kept = static_cast<std::size_t>(count);
  Shape shape = tensor.shape;
  shape.back() = count;
  Tensor result(shape);
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    result.data[i] = tensor.data[i / kept * width + i % kept];
  }
  return result;
}

// The first `size` rows and columns.
Tensor first_block(const Tensor& weight, std::int64_t size) {
  const Tensor columns = first_columns(weight, size);
  const auto kept = static_cast<std::ptrdiff_t>(size * size);
  return Tensor({size, size}, std::vector<double>(columns.data.begin(),
                                                  columns.data.begin() + kept));
}

// Every head of x itself times the same small matrix.
Tensor project_heads(const Operand& operand, const Case& test_case) {
  const Tensor heads = split(argument(test_case, "x"), HeadSplit::by_columns,
                             test_case.dimensions.heads);
  return reference::matmul(
      heads, first_block(argument(test_case, weight_name(operand.source)),
                         test_case.dimensions.d_k));
}

bool moves_key_heads(EntryMap map) {
  return map == EntryMap::next_key_head || map == EntryMap::previous_key_head;
}

// Keys or values of grouped queries, repeated to the query heads.
Tensor group_entries(const Tensor& heads, Grouping grouping, EntryMap map,
                     const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  if (moves_key_heads(map)) {
    return group(take_entries(heads, map, dimensions, dimensions.kv_heads),
                 grouping, test_case);
  }
  const Tensor grouped = group(heads, grouping, test_case);
  return map == EntryMap::own
             ? grouped
             : take_entries(grouped, map, dimensions, dimensions.heads);
}

Tensor make_operand(const Operand& operand, Grouping grouping, EntryMap map,
                    const Formula& formula, const Case& test_case) {
  if (formula.split == HeadSplit::first_block &&
      test_case.kind == Kind::multi_head_attention) {
    return project_heads(operand, test_case);
  }
  Tensor result = take(operand, test_case);
  switch (test_case.kind) {
    case Kind::self_attention:
    case Kind::attention:
      break;
    case Kind::multi_head_attention:
      result = split(result, formula.split, test_case.dimensions.heads);
      break;
    case Kind::grouped_query_attention:
      if (operand.source != Source::query) {
        result = group_entries(result, grouping, map, test_case);
        map = EntryMap::own;
      }
      break;
  }
  if (formula.split == HeadSplit::not_transposed &&
      test_case.kind != Kind::multi_head_attention && result.rank() == 4) {
    result = swap_tokens_and_heads(result);
  }
  if (map == EntryMap::own) {
    return result;
  }
  const std::int64_t heads =
      std::max<std::int64_t>(test_case.dimensions.heads, 1);
  return take_entries(result, map, test_case.dimensions, heads);
}

// Rows of length 1.
Tensor normalise(Tensor tensor) {
  const auto width = static_cast<std::size_t>(tensor.size(-1));
  for (std::size_t row = 0; row < tensor.data.size(); row += width) {
    const std::span<double> values(&tensor.data[row], width);
    const auto length =
        static_cast<double>(std::sqrt(reference::dot(values, values)));
    for (double& value : values) {
      value /= length;
    }
  }
  return tensor;
}

// How many columns of d enter the product; d where all do.
std::int64_t features(Product product, std::int64_t d, std::int64_t d_v) {
  switch (product) {
    case Product::half_features:
      return std::max<std::int64_t>(d / 2, 1);
    case Product::one_feature:
      return 1;
    case Product::all_but_one:
      return std::max<std::int64_t>(d - 1, 1);
    case Product::value_width:
      return std::min(d, d_v);
    case Product::multiple_of_two:
      return d - d % 2;
    case Product::multiple_of_four:
      return d - d % 4;
    case Product::multiple_of_eight:
      return d - d % 8;
    case Product::multiple_of_sixteen:
      return d - d % 16;
    case Product::at_most_eight:
      return std::min<std::int64_t>(d, 8);
    case Product::at_most_sixteen:
      return std::min<std::int64_t>(d, 16);
    case Product::at_most_thirty_two:
      return std::min<std::int64_t>(d, 32);
    case Product::queries_keys:
    case Product::keys_all_axes:
    case Product::keys_not_transposed:
    case Product::keys_leading_axes:
    case Product::keys_first_axes:
    case Product::keys_queries:
    case Product::keys_reshaped:
    case Product::cosine:
    case Product::cosine_queries:
    case Product::cosine_keys:
      break;
  }
  return d;
}

// q k^T over the first columns; nothing left of them is a product of 0.
Tensor multiply_columns(const Tensor& q, const Tensor& k, std::int64_t count) {
  if (count == 0) {
    Tensor product = reference::matmul(q, reference::swap_last_axes(k));
    std::ranges::fill(product.data, 0.0);
    return product;
  }
  return reference::matmul(first_columns(q, count),
                           reference::swap_last_axes(first_columns(k, count)));
}

Tensor exchange_leading_axes(const Tensor& k) {
  std::vector<int> axes(k.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::iter_swap(axes.begin(), axes.begin() + 1);
  return reference::permute(k, axes);
}

Tensor exchange_first_axes(const Tensor& k) {
  if (k.rank() < 3) {
    throw std::invalid_argument("axis 2 is out of bounds for shape " +
                                reference::to_string(k.shape));
  }
  return k.rank() == 3 ? reference::swap_last_axes(k)
                       : swap_tokens_and_heads(k);
}

Tensor reshape_keys(const Tensor& k) {
  Shape shape = k.shape;
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return reference::reshape(k, shape);
}

}  // namespace

Tensor make_queries(const Formula& formula, const Case& test_case) {
  return make_operand(formula.query, formula.key_groups, formula.queries_of,
                      formula, test_case);
}

Tensor make_keys(const Formula& formula, const Case& test_case) {
  return make_operand(formula.key, formula.key_groups, formula.keys_of, formula,
                      test_case);
}

Tensor make_values(const Formula& formula, const Case& test_case) {
  return make_operand(formula.value, formula.value_groups, formula.values_of,
                      formula, test_case);
}

bool has_right_queries_and_keys(const Formula& formula) {
  const Formula right;
  return formula.query == right.query && formula.key == right.key &&
         formula.split == right.split &&
         formula.key_groups == right.key_groups &&
         formula.queries_of == right.queries_of &&
         formula.keys_of == right.keys_of;
}

bool has_right_values(const Formula& formula) {
  const Formula right;
  return formula.value == right.value && formula.split == right.split &&
         formula.value_groups == right.value_groups &&
         formula.values_of == right.values_of;
}

Tensor multiply_operands(Product product, const Tensor& q, const Tensor& k,
                         std::int64_t d_v) {
  switch (product) {
    case Product::queries_keys:
      return reference::matmul(q, reference::swap_last_axes(k));
    case Product::keys_all_axes:
      return reference::matmul(q, reference::reverse_axes(k));
    case Product::keys_not_transposed:
      return reference::matmul(q, k);
    case Product::keys_leading_axes:
      return reference::matmul(q, exchange_leading_axes(k));
    case Product::keys_first_axes:
      return reference::matmul(q, exchange_first_axes(k));
    case Product::keys_queries:
      return reference::matmul(k, reference::swap_last_axes(q));
    case Product::keys_reshaped:
      return reference::matmul(q, reshape_keys(k));
    case Product::cosine:
      return reference::matmul(normalise(q),
                               reference::swap_last_axes(normalise(k)));
    case Product::cosine_queries:
      return reference::matmul(normalise(q), reference::swap_last_axes(k));
    case Product::cosine_keys:
      return reference::matmul(q, reference::swap_last_axes(normalise(k)));
    case Product::half_features:
    case Product::one_feature:
    case Product::all_but_one:
    case Product::value_width:
    case Product::multiple_of_two:
    case Product::multiple_of_four:
    case Product::multiple_of_eight:
    case Product::multiple_of_sixteen:
    case Product::at_most_eight:
    case Product::at_most_sixteen:
    case Product::at_most_thirty_two:
      break;
  }
  return multiply_columns(q, k, features(product, q.size(-1), d_v));
}

}  // namespace grader
