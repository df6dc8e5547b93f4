// SPDX-License-Identifier: MIT
#include "grader/diagnosis/hypotheses.hpp"

#include <algorithm>

namespace grader {
namespace {

enum class Stage { scale, product, softmax };

struct Variant {
  Stage stage;
  const char* fault;
  Formula formula;
};

Formula with(Product product) {
  return {.product = product};
}
Formula with(Scale scale) {
  return {.scale = scale};
}
Formula with(Softmax softmax, Fill fill = Fill::minus_infinity) {
  return {.fill_form = fill, .softmax = softmax};
}

// clang-format off
const std::vector<Variant>& variants() {
  static const std::vector<Variant> table = {
      {Stage::scale, "scale-missing", with(scales::none)},
      {Stage::scale, "scale-by-dk", with(scales::by_dk)},
      {Stage::scale, "scale-inverted", with(scales::times_sqrt_dk)},
      {Stage::scale, "scale-half-dk", with(scales::by_half_dk)},
      {Stage::scale, "scale-half-dk", with(scales::times_half_dk)},
      {Stage::scale, "scale-twice", with(scales::by_dk)},
      {Stage::scale, "scale-fourth-root", with(scales::by_fourth_root_dk)},
      {Stage::scale, "scale-by-sqrt-dmodel", with(scales::by_sqrt(SizeAxis::d_model))},
      {Stage::scale, "scale-by-dmodel", with(scales::by(SizeAxis::d_model))},
      {Stage::scale, "scale-by-sqrt-heads", with(scales::by_sqrt(SizeAxis::heads))},
      {Stage::scale, "scale-by-heads", with(scales::by(SizeAxis::heads))},
      {Stage::scale, "scale-by-sqrt-keys", with(scales::by_sqrt(SizeAxis::keys))},
      {Stage::scale, "scale-by-keys", with(scales::by(SizeAxis::keys))},
      {Stage::scale, "scale-by-sqrt-queries", with(scales::by_sqrt(SizeAxis::queries))},
      {Stage::scale, "scale-by-queries", with(scales::by(SizeAxis::queries))},
      {Stage::scale, "scale-by-sqrt-dv", with(scales::by_sqrt(SizeAxis::d_v))},
      {Stage::scale, "scale-by-dv", with(scales::by(SizeAxis::d_v))},
      {Stage::scale, "scale-by-sqrt-batch", with(scales::by_sqrt(SizeAxis::batch))},
      {Stage::scale, "scale-by-batch", with(scales::by(SizeAxis::batch))},
      {Stage::scale, "scale-zero", with(scales::zero)},
      {Stage::scale, "values-averaged", {.value_factor = ValueFactor::mean}},
      {Stage::scale, "scale-negated", with(scales::negated)},
      {Stage::scale, "scale-values",
       {.scale = scales::none, .value_factor = ValueFactor::by_sqrt_dk}},
      {Stage::scale, "scale-after-softmax",
       {.scale = scales::none, .weight_factor = WeightFactor::by_sqrt_dk}},
      {Stage::scale, "scale-after-softmax",
       {.weight_factor = WeightFactor::by_sqrt_dk}},
      {Stage::product, "keys-transposed-all-axes", with(Product::keys_all_axes)},
      {Stage::product, "keys-not-transposed", with(Product::keys_not_transposed)},
      {Stage::product, "scores-transposed", with(Product::keys_queries)},
      {Stage::softmax, "softmax-over-queries", with(Softmax::over_queries)},
      {Stage::softmax, "softmax-over-queries",
       with(Softmax::over_queries, Fill::large_negative)},
      {Stage::softmax, "softmax-over-batch", with(Softmax::over_batch)},
      {Stage::softmax, "softmax-over-batch",
       with(Softmax::over_batch, Fill::large_negative)},
      {Stage::softmax, "softmax-over-heads", with(Softmax::over_heads)},
      {Stage::softmax, "softmax-over-heads",
       with(Softmax::over_heads, Fill::large_negative)},
      {Stage::softmax, "softmax-over-all", with(Softmax::over_matrix)},
      {Stage::softmax, "softmax-over-all", with(Softmax::over_all)},
      {Stage::softmax, "softmax-missing", with(Softmax::missing)},
      {Stage::softmax, "softmax-missing",
       with(Softmax::missing, Fill::large_negative)},
      {Stage::softmax, "softmax-unnormalised", with(Softmax::unnormalised)},
      {Stage::softmax, "softmax-unnormalised", with(Softmax::unnormalised_raw)},
      {Stage::softmax, "softmax-base-2", with(scales::base_two)},
      {Stage::softmax, "softmax-negated", with(Softmax::negated)},
      {Stage::softmax, "softmax-no-max-shift", with(Softmax::no_max_shift)},
  };
  return table;
}
// clang-format on

// A softmax(s) / sqrt(d_k) misses the scale and divides the weights: one fault
// misplaced, or two.
std::vector<FaultSet> equivalents_of(const Formula& formula) {
  if (formula.scale == scales::none &&
      (formula.weight_factor != WeightFactor::none ||
       formula.value_factor == ValueFactor::by_sqrt_dk)) {
    return {{"scale-missing", "scale-after-softmax"}};
  }
  return {};
}

// The field-wise union of two variants that touch different stages.
Formula combine(const Formula& a, const Formula& b) {
  const Formula right;
  Formula both = a;
  if (b.product != right.product) {
    both.product = b.product;
  }
  if (b.scale != right.scale) {
    both.scale = b.scale;
  }
  if (b.fill_form != right.fill_form) {
    both.fill_form = b.fill_form;
  }
  if (b.softmax != right.softmax) {
    both.softmax = b.softmax;
  }
  if (b.weight_factor != right.weight_factor) {
    both.weight_factor = b.weight_factor;
  }
  if (b.value_factor != right.value_factor) {
    both.value_factor = b.value_factor;
  }
  return both;
}

bool combines(const Variant& a, const Variant& b) {
  if (a.stage == b.stage) {
    return false;
  }
  // Uniform weights hide whatever happens before them.
  const auto hides = [](const Variant& variant) {
    return variant.formula.scale == scales::zero ||
           variant.formula.value_factor == ValueFactor::mean;
  };
  // A base is a scale: two scales are one law, not two faults.
  const auto is_base = [](const Variant& variant) {
    return variant.formula.scale == scales::base_two;
  };
  // Two minus signs are none.
  const bool cancels = a.formula.scale == scales::negated &&
                       b.formula.softmax == Softmax::negated;
  return !hides(a) && !hides(b) && !cancels &&
         !(is_base(a) && b.stage == Stage::scale) &&
         !(is_base(b) && a.stage == Stage::scale);
}

std::vector<Hypothesis> make_singles() {
  std::vector<Hypothesis> singles;
  for (const Variant& variant : variants()) {
    singles.push_back(
        {{variant.fault}, variant.formula, equivalents_of(variant.formula)});
  }
  return singles;
}

std::vector<Hypothesis> make_doubles() {
  std::vector<Hypothesis> doubles;
  const std::vector<Variant>& table = variants();
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = i + 1; j < table.size(); ++j) {
      if (combines(table[i], table[j])) {
        doubles.push_back({{table[i].fault, table[j].fault},
                           combine(table[i].formula, table[j].formula),
                           {}});
      }
    }
  }
  return doubles;
}

}  // namespace

const std::vector<Hypothesis>& single_faults() {
  static const std::vector<Hypothesis> singles = make_singles();
  return singles;
}

const std::vector<Hypothesis>& double_faults() {
  static const std::vector<Hypothesis> doubles = make_doubles();
  return doubles;
}

const std::vector<Formula>& correct_forms() {
  static const std::vector<Formula> forms = {
      Formula{}, {.softmax = Softmax::renormalised_mask}};
  return forms;
}

std::vector<std::string> right_stages(const Formula& formula,
                                      MaskMode mask_mode) {
  const Formula right;
  std::vector<std::string> stages;
  if (formula.product == right.product) {
    stages.emplace_back("product of queries and keys");
  }
  if (formula.scale == right.scale) {
    stages.emplace_back("scale");
  }
  if (mask_mode != MaskMode::none && formula.fill_form == right.fill_form) {
    stages.emplace_back("mask");
  }
  if (formula.softmax == right.softmax &&
      formula.weight_factor == right.weight_factor) {
    stages.emplace_back("softmax over the keys");
  }
  if (formula.value_factor == right.value_factor) {
    stages.emplace_back("weighted sum");
  }
  return stages;
}

}  // namespace grader
