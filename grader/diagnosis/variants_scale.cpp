// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

Formula with(Scale scale) {
  return {.scale = scale};
}

Variant variant(const char* fault, const Formula& formula) {
  return {.stage = Stage::scale, .fault = fault, .formula = formula};
}

}  // namespace

// clang-format off
std::vector<Variant> scale_variants() {
  return {
      variant("scale-missing", with(scales::none)),
      variant("scale-by-dk", with(scales::by_dk)),
      variant("scale-inverted", with(scales::times_sqrt_dk)),
      variant("scale-half-dk", with(scales::by_half_dk)),
      variant("scale-half-dk", with(scales::times_half_dk)),
      variant("scale-twice", with(scales::by_dk)),
      variant("scale-fourth-root", with(scales::by_fourth_root_dk)),
      variant("scale-by-sqrt-dmodel", with(scales::by_sqrt(SizeAxis::d_model))),
      variant("scale-by-dmodel", with(scales::by(SizeAxis::d_model))),
      variant("scale-by-sqrt-heads", with(scales::by_sqrt(SizeAxis::heads))),
      variant("scale-by-heads", with(scales::by(SizeAxis::heads))),
      variant("scale-by-sqrt-keys", with(scales::by_sqrt(SizeAxis::keys))),
      variant("scale-by-keys", with(scales::by(SizeAxis::keys))),
      variant("scale-by-sqrt-queries", with(scales::by_sqrt(SizeAxis::queries))),
      variant("scale-by-queries", with(scales::by(SizeAxis::queries))),
      variant("scale-by-sqrt-dv", with(scales::by_sqrt(SizeAxis::d_v))),
      variant("scale-by-dv", with(scales::by(SizeAxis::d_v))),
      variant("scale-by-sqrt-batch", with(scales::by_sqrt(SizeAxis::batch))),
      variant("scale-by-batch", with(scales::by(SizeAxis::batch))),
      variant("scale-zero", with(scales::zero)),
      variant("scale-negated", with(scales::negated)),
      variant("scale-values", {.scale = scales::none, .value_factor = ValueFactor::by_sqrt_dk}),
      variant("scale-after-softmax", {.scale = scales::none, .weight_factor = WeightFactor::by_sqrt_dk}),
      variant("scale-after-softmax", {.weight_factor = WeightFactor::by_sqrt_dk}),
  };
}
// clang-format on

}  // namespace grader
