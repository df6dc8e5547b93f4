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

// Another axis than that of the keys may have nothing left in a column, so that
// it matters how keys are hidden.
void add_axis(const char* fault, Softmax softmax, std::vector<Variant>& table) {
  table.push_back(variant(fault, softmax));
  Variant replaced = variant(fault, softmax, Frequency::rare);
  replaced.formula.fill_form = Fill::large_negative;
  replaced.where = any_mask;
  table.push_back(replaced);
}

Variant shifted(Softmax softmax, double shift,
                Frequency frequency = Frequency::rare) {
  Variant result = variant("softmax-constant-shift", softmax, frequency);
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
  add_axis("softmax-keepdims-lost", Softmax::column_maxima, table);
  table.push_back(variant("softmax-twice", Softmax::twice));
  table.push_back(variant("softmax-twice", Softmax::twice_masked, rare));
  table.push_back({.stage = Stage::softmax,
                   .fault = "softmax-base-2",
                   .formula = {.scale = scales::base_two}});
  table.push_back(variant("softmax-negated", Softmax::negated));
  table.push_back(variant("softmax-sigmoid", Softmax::sigmoid));
  table.push_back(variant("softmax-sigmoid", Softmax::sigmoid_divided));
  table.push_back(variant("softmax-relu", Softmax::relu));
  table.push_back(variant("softmax-relu", Softmax::relu_divided));
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
  table.push_back(variant("softmax-no-max-shift", Softmax::no_max_shift));
  table.push_back(variant("softmax-global-max", Softmax::global_max));
  table.push_back(variant("softmax-global-max", Softmax::matrix_max));
  for (const double shift : {-1e4, -1e3, -100.0, 0.0}) {
    table.push_back(shifted(Softmax::running_max, shift));
  }
  for (const double shift : {1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0, 1e3}) {
    table.push_back(shifted(Softmax::constant_shift, shift));
  }
  return table;
}

}  // namespace grader
