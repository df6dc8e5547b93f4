// SPDX-License-Identifier: MIT
// The stages before the product: projections, heads, groups, whose rows.
#pragma once

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/case.hpp"
#include "reference/tensor.hpp"

namespace grader {

// q (..., n, d_k), k (..., m, d_k), v (..., m, d_v) with the head axis, or as
// the formula leaves them. Throw std::invalid_argument where numpy refuses.
reference::Tensor make_queries(const Formula& formula, const Case& test_case);
reference::Tensor make_keys(const Formula& formula, const Case& test_case);
reference::Tensor make_values(const Formula& formula, const Case& test_case);

// Whether the formula's queries and keys, or its values, are the right ones.
bool has_right_queries_and_keys(const Formula& formula);
bool has_right_values(const Formula& formula);

// The product of queries and keys before the scale. Throws
// std::invalid_argument where numpy refuses.
reference::Tensor multiply_operands(Product product, const reference::Tensor& q,
                                    const reference::Tensor& k,
                                    std::int64_t d_v);

}  // namespace grader
