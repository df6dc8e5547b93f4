// SPDX-License-Identifier: MIT
#include "grader/diagnosis/fixed_sizes.hpp"

#include <algorithm>

namespace grader {
namespace {

std::vector<const Case*> adapted_cases(const std::vector<Evidenced>& cases) {
  std::vector<const Case*> adapted;
  adapted.reserve(cases.size());
  for (const Evidenced& one : cases) {
    if (one.test_case().form) {
      adapted.push_back(&one.test_case());
    }
  }
  return adapted;
}

bool is_about_scale(const std::string& fault) {
  return fault.starts_with("scale-");
}

// By design, not because few cases were looked at.
bool is_fixed_by_class(SizeAxis axis, const std::vector<Evidenced>& cases) {
  const std::vector<const Case*> adapted = adapted_cases(cases);
  return !adapted.empty() && is_fixed(axis, adapted);
}

}  // namespace

std::optional<FaultSet> as_constant(const FaultSet& faults,
                                    const Formula& formula,
                                    const std::vector<Evidenced>& cases) {
  if (formula.scale.exponent == 0.0 || formula.scale == scales::by_sqrt_dk ||
      std::ranges::none_of(faults, is_about_scale) ||
      !is_fixed_by_class(formula.scale.axis, cases)) {
    return std::nullopt;
  }
  FaultSet constant = faults;
  std::ranges::replace_if(constant, is_about_scale, "scale-constant");
  return constant;
}

bool has_one_key_width(const std::vector<Evidenced>& cases) {
  return is_fixed_by_class(SizeAxis::d_k, cases);
}

}  // namespace grader
