// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

constexpr Where any_mask{.unmasked = false};

Variant variant(const char* fault, Softmax softmax,
                Frequency frequency = Frequency::common) {
  return {.stage = Stage::softmax,
          .fault = fault,
          .formula = {.softmax = softmax},
          .frequency = frequency};
}

// With a denominator that is checked for 0.
Variant guarded(Variant variant) {
  variant.formula.guarded = true;
  variant.frequency = Frequency::rare;
  return variant;
}

void add_with_guard(const Variant& variant, std::vector<Variant>& table) {
  table.push_back(variant);
  table.push_back(guarded(variant));
}

// Another axis than that of the keys may have nothing left in a column, so that
// it matters how keys are hidden.
void add_axis(const char* fault, Softmax softmax, std::vector<Variant>& table) {
  table.push_back(variant(fault, softmax));
  for (const Fill fill : {Fill::large_negative, Fill::large_negative_added}) {
    Variant replaced = variant(fault, softmax, Frequency::rare);
    replaced.formula.fill_form = fill;
    replaced.where = any_mask;
    table.push_back(replaced);
  }
  table.push_back(guarded(table[table.size() - 3]));
  table.back().where = any_mask;
}

Variant shifted(Softmax softmax, double shift) {
  Variant result = variant("softmax-constant-shift", softmax, Frequency::rare);
  result.formula.shift = shift;
  return result;
}

}  // namespace

std::vector<Variant> softmax_variants() {
  constexpr Frequency rare = Frequency::rare;
  std::vector<Variant> table;
  add_axis("softmax-over-queries", Softmax::over_queries, table);
  add_axis("softmax-over-batch", Softmax::over_batch, table);
  add_axis("softmax-over-heads", Softmax::over_heads, table);
  table.push_back(variant("softmax-over-all", Softmax::over_matrix));
  table.push_back(variant("softmax-over-all", Softmax::over_all));
  add_axis("softmax-over-singleton", Softmax::over_singleton, table);
  add_axis("softmax-missing", Softmax::missing, table);
  table.push_back(variant("softmax-missing", Softmax::missing_divided, rare));
  table.push_back(variant("softmax-unnormalised", Softmax::unnormalised));
  table.push_back(variant("softmax-unnormalised", Softmax::unnormalised_raw));
  add_axis("softmax-keepdims-lost", Softmax::sums_lose_axis, table);
  add_axis("softmax-keepdims-lost", Softmax::both_lose_axis, table);
  add_axis("softmax-keepdims-lost", Softmax::sums_to_columns, table);
  add_axis("softmax-keepdims-lost", Softmax::both_to_columns, table);
  add_axis("softmax-keepdims-lost", Softmax::maxima_lose_axis, table);
  add_axis("softmax-keepdims-lost", Softmax::column_sums, table);
  add_axis("softmax-keepdims-lost", Softmax::column_sums_to_rows, table);
  add_axis("softmax-keepdims-lost", Softmax::column_maxima, table);
  table.push_back(variant("softmax-twice", Softmax::twice));
  table.push_back(variant("softmax-twice", Softmax::twice_masked, rare));
  table.push_back({.stage = Stage::softmax,
                   .fault = "softmax-base-2",
                   .formula = {.scale = scales::base_two}});
  add_axis("softmax-negated", Softmax::negated, table);
  table.push_back(variant("softmax-sigmoid", Softmax::sigmoid));
  add_with_guard(variant("softmax-sigmoid", Softmax::sigmoid_divided), table);
  table.push_back(variant("softmax-relu", Softmax::relu));
  add_with_guard(variant("softmax-relu", Softmax::relu_divided), table);
  // A row of nothing but zeros is why people add one here.
  for (const double epsilon : {1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5}) {
    Variant guarded = variant("softmax-relu", Softmax::relu_divided, rare);
    guarded.formula.epsilon = epsilon;
    table.push_back(guarded);
  }
  table.push_back(variant("softmax-plus-one", Softmax::plus_one));
  table.push_back(variant("softmax-plus-one", Softmax::plus_one_raw, rare));
  table.push_back(variant("softmax-plus-one", Softmax::plus_one_shifted));
  table.push_back(variant("softmax-log", Softmax::log));
  add_axis("softmax-l2", Softmax::l2, table);
  table.push_back(variant("softmax-l2", Softmax::l2_of_powers));
  add_with_guard(variant("softmax-no-max-shift", Softmax::no_max_shift), table);
  add_with_guard(variant("softmax-global-max", Softmax::global_max), table);
  add_with_guard(variant("softmax-global-max", Softmax::matrix_max), table);
  for (const double shift : {-1e4, -1e3, -100.0, 0.0}) {
    add_with_guard(shifted(Softmax::running_max, shift), table);
  }
  for (const double shift : {1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0, 1e3}) {
    add_with_guard(shifted(Softmax::constant_shift, shift), table);
  }
  return table;
}

}  // namespace grader
