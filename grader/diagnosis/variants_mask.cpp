// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

constexpr Where masked{.unmasked = false, .causal = false};
constexpr Where causal{.unmasked = false, .masked = false};
constexpr Where any_mask{.unmasked = false};
constexpr Where not_causal{.causal = false};

Variant variant(const char* fault, const Formula& formula, Where where,
                Frequency frequency = Frequency::common) {
  return {.stage = Stage::mask,
          .fault = fault,
          .formula = formula,
          .where = where,
          .frequency = frequency};
}

// A mask that may leave a row without keys: what becomes of such a row depends
// on how keys are hidden.
void add_emptying(const char* fault, MaskForm form, Where where,
                  Frequency frequency, std::vector<Variant>& table) {
  table.push_back(
      variant(fault, {.mask = form}, where, frequency));
  for (const Fill fill : {Fill::large_negative, Fill::large_negative_added}) {
    table.push_back(variant(fault, {.mask = form, .fill_form = fill}, where,
                            Frequency::rare));
  }
  table.push_back(
      variant(fault, {.mask = form, .guarded = true}, where, Frequency::rare));
}

void add_fills(const char* fault, double fill, Frequency frequency,
               std::vector<Variant>& table) {
  table.push_back(variant(fault, {.fill_form = Fill::replaced, .fill = fill},
                          any_mask, frequency));
  table.push_back(variant(fault, {.fill_form = Fill::added, .fill = fill},
                          any_mask, Frequency::rare));
}

void add_masks(std::vector<Variant>& table) {
  constexpr Frequency common = Frequency::common;
  constexpr Frequency rare = Frequency::rare;
  table.push_back(
      variant("mask-ignored", {.mask = MaskForm::ignored}, masked));
  add_emptying("mask-inverted", MaskForm::inverted, masked, common, table);
  add_emptying("mask-transposed", MaskForm::axes_swapped, masked, common,
               table);
  add_emptying("mask-transposed", MaskForm::axes_reversed, masked, rare, table);
  add_emptying("mask-transposed", MaskForm::as_column, masked, rare, table);
  add_emptying("mask-transposed", MaskForm::read_transposed, masked, rare,
               table);
  add_emptying("mask-first-batch-only", MaskForm::first_batch, masked, common,
               table);
  add_emptying("mask-first-batch-only", MaskForm::first_entry, masked, rare,
               table);
  add_emptying("mask-heads-misordered", MaskForm::heads_tiled, masked, common,
               table);
  add_emptying("mask-heads-misordered", MaskForm::heads_repeated, masked, rare,
               table);
}

void add_causal(std::vector<Variant>& table) {
  constexpr Frequency common = Frequency::common;
  table.push_back(
      variant("causal-missing", {.mask = MaskForm::ignored}, causal));
  add_emptying("causal-strict", MaskForm::strict, causal, common, table);
  table.push_back(
      variant("causal-one-ahead", {.mask = MaskForm::one_ahead}, causal));
  table.push_back(
      variant("causal-reversed", {.mask = MaskForm::future}, causal));
  add_emptying("causal-reversed", MaskForm::future_strict, causal, common,
               table);
  add_emptying("causal-unasked", MaskForm::causal_too, not_causal, common,
               table);
  add_emptying("causal-unasked", MaskForm::causal_too_aligned_right, not_causal,
               Frequency::rare, table);
}

}  // namespace

// In the causal task causal-* comes before mask-*.
std::vector<Variant> mask_variants() {
  std::vector<Variant> table;
  add_causal(table);
  add_masks(table);
  const auto add = [&](const char* fault, const Formula& formula,
                       Frequency frequency = Frequency::common) {
    table.push_back(variant(fault, formula, any_mask, frequency));
  };
  add("mask-after-softmax", {.fill_form = Fill::after_softmax});
  add("mask-after-softmax", {.fill_form = Fill::minus_infinity_after_softmax},
      Frequency::rare);
  add("mask-after-softmax", {.fill_form = Fill::large_negative_after_softmax},
      Frequency::rare);
  add("mask-zero-fill", {.fill_form = Fill::replaced});
  add("mask-added", {.fill_form = Fill::added, .fill = -1.0});
  add("mask-added", {.fill_form = Fill::added_then_scaled, .fill = -1.0},
      Frequency::rare);
  add_fills("mask-tiny-fill", -1e-9, Frequency::common, table);
  add_fills("mask-tiny-fill", 1e-9, Frequency::rare, table);
  for (const double fill : {-1e4, -100.0, -10.0}) {
    add_fills("mask-weak-fill", fill, Frequency::common, table);
  }
  for (const double fill : {-1e5, -1e3, -50.0, -30.0, -20.0, -5.0, -2.0, -1.0}) {
    add_fills("mask-weak-fill", fill, Frequency::rare, table);
  }
  add("mask-nan", {.fill_form = Fill::nan_where_kept}, Frequency::rare);
  add("mask-nan", {.fill_form = Fill::nan_where_hidden}, Frequency::rare);
  return table;
}

}  // namespace grader
