// SPDX-License-Identifier: MIT
#include "grader/diagnosis/scale.hpp"

#include <algorithm>
#include <cstdint>

namespace grader {
namespace {

// 0 where there is no such axis. The model width is the task's own, else the
// width of all heads together.
std::int64_t size_of(SizeAxis axis, const Dimensions& dimensions) {
  switch (axis) {
    case SizeAxis::d_k:
      return dimensions.d_k;
    case SizeAxis::d_model:
      return dimensions.d_model != 0 ? dimensions.d_model
                                     : dimensions.heads * dimensions.d_k;
    case SizeAxis::heads:
      return dimensions.heads;
    case SizeAxis::keys:
      return dimensions.m;
    case SizeAxis::queries:
      return dimensions.n;
    case SizeAxis::d_v:
      return dimensions.d_v;
    case SizeAxis::batch:
      return dimensions.batch;
  }
  return 0;
}

// Always as large as d_k: the fault goes by d_k's name. Heads of C/H columns
// tie the width of the values to that of the keys, and classes tie widths as
// well.
bool is_tied(SizeAxis axis, const Case& test_case) {
  const Widths widths = test_case.form ? test_case.form->widths : Widths::free;
  return (axis == SizeAxis::d_v &&
          (widths != Widths::free ||
           test_case.kind == Kind::multi_head_attention)) ||
         (axis == SizeAxis::d_model && widths == Widths::all_equal);
}

}  // namespace

double scale_factor(const Scale& scale, const Dimensions& dimensions) {
  std::int64_t size = size_of(scale.axis, dimensions);
  if (scale.axis == SizeAxis::d_model && size == 0) {
    size = dimensions.d_k;  // one head is the whole model
  }
  const auto length = static_cast<double>(std::max<std::int64_t>(size, 1));
  return scale.factor * std::pow(length, scale.exponent);
}

bool has_axis(const Scale& scale, const Case& test_case) {
  return !is_tied(scale.axis, test_case) &&
         size_of(scale.axis, test_case.dimensions) != 0;
}

bool is_fixed(SizeAxis axis, const std::vector<const Case*>& cases) {
  return std::ranges::all_of(cases, [&](const Case* one) {
    return size_of(axis, one->dimensions) ==
           size_of(axis, cases.front()->dimensions);
  });
}

}  // namespace grader
