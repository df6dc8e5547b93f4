// SPDX-License-Identifier: MIT
#include <cmath>

#include "grader/diagnosis/formula.hpp"

namespace grader {
namespace {

// An axis that a case does not have has size 1, as in the C interface.
double length(std::int64_t size) {
  return size == 0 ? 1.0 : static_cast<double>(size);
}

// The model width: the task's own, else the width of all heads together.
double model_width(const Dimensions& dimensions) {
  return dimensions.d_model != 0
             ? static_cast<double>(dimensions.d_model)
             : length(dimensions.heads) * static_cast<double>(dimensions.d_k);
}

double inverse(double size) {
  return 1.0 / size;
}

double inverse_root(double size) {
  return 1.0 / std::sqrt(size);
}

double width_factor(Scale scale, double d_k) {
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
  return 1.0;
}

}  // namespace

double scale_factor(const Formula& formula, const Dimensions& dimensions) {
  switch (formula.scale) {
    case Scale::by_sqrt_dmodel:
      return inverse_root(model_width(dimensions));
    case Scale::by_dmodel:
      return inverse(model_width(dimensions));
    case Scale::by_sqrt_heads:
      return inverse_root(length(dimensions.heads));
    case Scale::by_heads:
      return inverse(length(dimensions.heads));
    case Scale::by_sqrt_keys:
      return inverse_root(length(dimensions.m));
    case Scale::by_keys:
      return inverse(length(dimensions.m));
    case Scale::by_sqrt_queries:
      return inverse_root(length(dimensions.n));
    case Scale::by_queries:
      return inverse(length(dimensions.n));
    case Scale::by_sqrt_dv:
      return inverse_root(length(dimensions.d_v));
    case Scale::by_dv:
      return inverse(length(dimensions.d_v));
    case Scale::by_sqrt_batch:
      return inverse_root(length(dimensions.batch));
    case Scale::by_batch:
      return inverse(length(dimensions.batch));
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

bool has_axis(const Formula& formula, const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  switch (formula.scale) {
    case Scale::by_sqrt_dmodel:
    case Scale::by_dmodel:
      return dimensions.d_model != 0 || dimensions.heads != 0;
    case Scale::by_sqrt_heads:
    case Scale::by_heads:
      return dimensions.heads != 0;
    case Scale::by_sqrt_batch:
    case Scale::by_batch:
      return dimensions.batch != 0;
    case Scale::by_sqrt_dv:
    case Scale::by_dv:
      // Heads of C/H columns tie the width of the values to that of the keys:
      // the fault goes by d_k's name.
      return test_case.kind != Kind::multi_head_attention;
    case Scale::by_sqrt_dk:
    case Scale::none:
    case Scale::by_dk:
    case Scale::times_sqrt_dk:
    case Scale::by_half_dk:
    case Scale::times_half_dk:
    case Scale::by_fourth_root_dk:
    case Scale::by_sqrt_keys:
    case Scale::by_keys:
    case Scale::by_sqrt_queries:
    case Scale::by_queries:
    case Scale::zero:
    case Scale::negated:
    case Scale::base_two:
    case Scale::constant:
      break;
  }
  return true;
}

bool applies(const Formula& formula, const Case& test_case) {
  const Dimensions& dimensions = test_case.dimensions;
  if (formula.softmax == Softmax::over_batch) {
    return dimensions.batch != 0;
  }
  return formula.softmax != Softmax::over_heads || dimensions.heads != 0;
}

}  // namespace grader
