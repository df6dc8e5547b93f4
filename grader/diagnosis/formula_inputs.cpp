// SPDX-License-Identifier: MIT
#include <algorithm>
#include <stdexcept>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/argument.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Tensor;

void project(const Case& test_case, FormulaInputs& inputs) {
  const Tensor& x = argument(test_case, "x");
  inputs.q = reference::matmul(x, argument(test_case, "w_q"));
  inputs.k = reference::matmul(x, argument(test_case, "w_k"));
  inputs.v = reference::matmul(x, argument(test_case, "w_v"));
}

void make_operands(const Case& test_case, FormulaInputs& inputs) {
  const Dimensions& dimensions = test_case.dimensions;
  switch (test_case.kind) {
    case Kind::self_attention:
      project(test_case, inputs);
      return;
    case Kind::multi_head_attention:
      project(test_case, inputs);
      for (Tensor* flat : {&inputs.q, &inputs.k, &inputs.v}) {
        *flat = reference::split_heads(*flat, dimensions.heads);
      }
      return;
    case Kind::attention:
    case Kind::grouped_query_attention:
      break;
  }
  inputs.q = argument(test_case, "q");
  inputs.k = argument(test_case, "k");
  inputs.v = argument(test_case, "v");
  if (test_case.kind == Kind::grouped_query_attention) {
    const std::int64_t group = dimensions.heads / dimensions.kv_heads;
    inputs.k = reference::repeat(inputs.k, group, 1);
    inputs.v = reference::repeat(inputs.v, group, 1);
  }
}

Tensor multiply_operands(Product product, const FormulaInputs& inputs) {
  switch (product) {
    case Product::queries_keys:
      return reference::matmul(inputs.q, reference::swap_last_axes(inputs.k));
    case Product::keys_all_axes:
      return reference::matmul(inputs.q, reference::reverse_axes(inputs.k));
    case Product::keys_not_transposed:
      return reference::matmul(inputs.q, inputs.k);
    case Product::keys_queries:
      return reference::matmul(inputs.k, reference::swap_last_axes(inputs.q));
  }
  throw std::logic_error("a product without a formula");
}

RawScores try_product(Product product, const FormulaInputs& inputs) {
  try {
    return {.scores = multiply_operands(product, inputs), .refused = ""};
  } catch (const std::invalid_argument& refused) {
    return {.scores = {}, .refused = refused.what()};
  }
}

}  // namespace

FormulaInputs make_inputs(const Case& test_case) {
  FormulaInputs inputs;
  inputs.test_case = &test_case;
  make_operands(test_case, inputs);
  inputs.mask = effective_mask(test_case);
  for (const Product product :
       {Product::queries_keys, Product::keys_all_axes,
        Product::keys_not_transposed, Product::keys_queries}) {
    inputs.products[product] = try_product(product, inputs);
  }
  return inputs;
}

}  // namespace grader
