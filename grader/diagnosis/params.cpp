// SPDX-License-Identifier: MIT
#include "grader/diagnosis/params.hpp"

#include <array>
#include <cstdio>

namespace grader {

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.9g", value);
  return buffer.data();
}

std::map<std::string, std::string> describe_params(const Formula& formula) {
  std::map<std::string, std::string> params;
  if (formula.epsilon > 0.0) {
    params["epsilon"] = number_text(formula.epsilon);
  }
  if (formula.fill_form == Fill::added_then_scaled) {
    params["fill"] = number_text(formula.fill);
  }
  if (formula.scale == scales::by_half_dk) {
    params["variant"] = "divided by d_k / 2";
  } else if (formula.scale == scales::times_half_dk) {
    params["variant"] = "multiplied by d_k / 2";
  }
  if (formula.softmax == Softmax::over_matrix) {
    params["axis"] = "each matrix";
  } else if (formula.softmax == Softmax::over_all) {
    params["axis"] = "the whole tensor";
  } else if (formula.softmax == Softmax::unnormalised_raw) {
    params["variant"] = "exp(z), without the max shift";
  } else if (formula.softmax == Softmax::unnormalised) {
    params["variant"] = "exp(z - max z)";
  }
  return params;
}

}  // namespace grader
