// SPDX-License-Identifier: MIT
#include <cmath>

#include "grader/diagnosis/formula.hpp"

namespace grader {
namespace {

// The model width: the task's own, else the width of all heads together. Below
// 4-D there are no heads, and no model width beside d_k.
std::int64_t model_width(const Dimensions& dimensions) {
  return dimensions.d_model != 0 ? dimensions.d_model
                                 : dimensions.heads * dimensions.d_k;
}

std::optional<double> inverse(std::int64_t size) {
  if (size == 0) {
    return std::nullopt;
  }
  return 1.0 / static_cast<double>(size);
}

std::optional<double> inverse_root(std::int64_t size) {
  if (size == 0) {
    return std::nullopt;
  }
  return 1.0 / std::sqrt(static_cast<double>(size));
}

std::optional<double> width_factor(Scale scale, double d_k) {
  switch (scale) {
    case Scale::by_sqrt_dk:
      return 1.0 / std::sqrt(d_k);
    case Scale::none:
      return 1.0;
    case Scale::by_dk:
      return 1.0 / d_k;
    case Scale::times_sqrt_dk:
      return std::sqrt(d_k);
    case Scale::by_half_dk:
      return 2.0 / d_k;
    case Scale::times_half_dk:
      return d_k / 2.0;
    case Scale::by_fourth_root_dk:
      return std::pow(d_k, -0.25);
    case Scale::zero:
      return 0.0;
    case Scale::negated:
      return -1.0 / std::sqrt(d_k);
    case Scale::base_two:
      return std::log(2.0) / std::sqrt(d_k);
    case Scale::by_sqrt_dmodel:
    case Scale::by_dmodel:
    case Scale::by_sqrt_heads:
    case Scale::by_heads:
    case Scale::by_sqrt_keys:
    case Scale::by_keys:
    case Scale::by_sqrt_queries:
    case Scale::by_queries:
    case Scale::by_sqrt_dv:
    case Scale::by_dv:
    case Scale::by_sqrt_batch:
    case Scale::by_batch:
    case Scale::constant:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> scale_factor(const Formula& formula,
                                   const Dimensions& dimensions) {
  switch (formula.scale) {
    case Scale::by_sqrt_dmodel:
      return inverse_root(model_width(dimensions));
    case Scale::by_dmodel:
      return inverse(model_width(dimensions));
    case Scale::by_sqrt_heads:
      return inverse_root(dimensions.heads);
    case Scale::by_heads:
      return inverse(dimensions.heads);
    case Scale::by_sqrt_keys:
      return inverse_root(dimensions.m);
    case Scale::by_keys:
      return inverse(dimensions.m);
    case Scale::by_sqrt_queries:
      return inverse_root(dimensions.n);
    case Scale::by_queries:
      return inverse(dimensions.n);
    case Scale::by_sqrt_dv:
      return inverse_root(dimensions.d_v);
    case Scale::by_dv:
      return inverse(dimensions.d_v);
    case Scale::by_sqrt_batch:
      return inverse_root(dimensions.batch);
    case Scale::by_batch:
      return inverse(dimensions.batch);
    case Scale::constant:
      return formula.constant;
    case Scale::by_sqrt_dk:
    case Scale::none:
    case Scale::by_dk:
    case Scale::times_sqrt_dk:
    case Scale::by_half_dk:
    case Scale::times_half_dk:
    case Scale::by_fourth_root_dk:
    case Scale::zero:
    case Scale::negated:
    case Scale::base_two:
      break;
  }
  return width_factor(formula.scale, static_cast<double>(dimensions.d_k));
}

bool applies(const Formula& formula, const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  if (formula.softmax == Softmax::over_batch && dimensions.batch == 0) {
    return false;
  }
  if (formula.softmax == Softmax::over_heads && dimensions.heads == 0) {
    return false;
  }
  // Heads of C/H columns tie the width of the values to that of the keys: the
  // fault goes by d_k's name.
  const bool values_have_a_width = test_case.kind != Kind::multi_head_attention;
  if (!values_have_a_width && (formula.scale == Scale::by_sqrt_dv ||
                               formula.scale == Scale::by_dv)) {
    return false;
  }
  return scale_factor(formula, dimensions).has_value();
}

}  // namespace grader
