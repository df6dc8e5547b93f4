// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

constexpr Where masked{.unmasked = false, .causal = false};
constexpr Where causal{.unmasked = false, .masked = false};
constexpr Where any_mask{.unmasked = false};
constexpr Where not_causal{.causal = false};
constexpr Where unmasked{.masked = false, .causal = false};

Variant variant(const char* fault, const Formula& formula, Where where,
                Frequency frequency = Frequency::common) {
  return {.stage = Stage::mask,
          .fault = fault,
          .formula = formula,
          .where = where,
          .frequency = frequency};
}

Variant fill(const char* fault, const Formula& formula, Frequency frequency) {
  Variant result = variant(fault, formula, any_mask, frequency);
  result.stage = Stage::fill;
  return result;
}

void add_fills(const char* fault, double number, Frequency frequency,
               std::vector<Variant>& table) {
  table.push_back(
      fill(fault, {.fill_form = Fill::replaced, .fill = number}, frequency));
  table.push_back(
      fill(fault, {.fill_form = Fill::added, .fill = number}, Frequency::rare));
}

void add_masks(std::vector<Variant>& table) {
  const auto add = [&](const char* fault, MaskForm form,
                       Frequency frequency = Frequency::common) {
    table.push_back(variant(fault, {.mask = form}, masked, frequency));
  };
  add("mask-ignored", MaskForm::ignored);
  add("mask-inverted", MaskForm::inverted);
  add("mask-transposed", MaskForm::axes_swapped);
  add("mask-transposed", MaskForm::axes_reversed, Frequency::rare);
  add("mask-transposed", MaskForm::as_column, Frequency::rare);
  add("mask-transposed", MaskForm::read_transposed, Frequency::rare);
  add("mask-first-batch-only", MaskForm::first_batch);
  add("mask-first-batch-only", MaskForm::first_entry, Frequency::rare);
  add("mask-heads-misordered", MaskForm::heads_tiled);
  add("mask-heads-misordered", MaskForm::heads_repeated, Frequency::rare);
}

void add_causal(std::vector<Variant>& table) {
  const auto add = [&](const char* fault, MaskForm form) {
    table.push_back(variant(fault, {.mask = form}, causal));
  };
  add("causal-missing", MaskForm::ignored);
  add("causal-strict", MaskForm::strict);
  add("causal-one-ahead", MaskForm::one_ahead);
  add("causal-reversed", MaskForm::future);
  add("causal-reversed", MaskForm::future_strict);
  table.push_back(
      variant("causal-unasked", {.mask = MaskForm::causal_too}, not_causal));
  table.push_back(variant("causal-unasked",
                          {.mask = MaskForm::causal_too_aligned_right},
                          not_causal, Frequency::rare));
  // More queries than keys, aligned right: rows without keys. Where the task
  // has no mask, no context says what becomes of them.
  for (const Fill fill_form :
       {Fill::large_negative, Fill::large_negative_added}) {
    table.push_back(variant(
        "causal-unasked",
        {.mask = MaskForm::causal_too_aligned_right, .fill_form = fill_form},
        unmasked, Frequency::rare));
  }
}

}  // namespace

// In the causal task causal-* comes before mask-*.
std::vector<Variant> mask_variants() {
  std::vector<Variant> table;
  add_causal(table);
  add_masks(table);
  const auto add = [&](const char* fault, const Formula& formula,
                       Frequency frequency = Frequency::common) {
    table.push_back(fill(fault, formula, frequency));
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
  for (const double number : {-1e4, -100.0, -10.0}) {
    add_fills("mask-weak-fill", number, Frequency::common, table);
  }
  for (const double number :
       {-1e5, -1e3, -50.0, -30.0, -20.0, -5.0, -2.0, -1.0}) {
    add_fills("mask-weak-fill", number, Frequency::rare, table);
  }
  // Hidden first, divided by sqrt(d_k) later; smaller fills show, and are
  // fitted.
  for (const double number : {-1e4, -1e3}) {
    add("scale-mask-too",
        {.fill_form = Fill::added_then_scaled, .fill = number},
        Frequency::rare);
    add("mask-weak-fill",
        {.fill_form = Fill::replaced_then_scaled, .fill = number},
        Frequency::rare);
  }
  add("mask-nan", {.fill_form = Fill::nan_where_kept}, Frequency::rare);
  add("mask-nan", {.fill_form = Fill::nan_where_hidden}, Frequency::rare);
  return table;
}

}  // namespace grader
