// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

Variant variant(const char* fault, Softmax softmax,
                Frequency frequency = Frequency::common) {
  return {.stage = Stage::softmax,
          .fault = fault,
          .formula = {.softmax = softmax},
          .frequency = frequency};
}

Variant shifted(Softmax softmax, double shift, Frequency frequency) {
  Variant result = variant("softmax-constant-shift", softmax, frequency);
  result.formula.shift = shift;
  return result;
}

}  // namespace

std::vector<Variant> softmax_variants() {
  constexpr Frequency rare = Frequency::rare;
  std::vector<Variant> table;
  table.push_back(variant("softmax-over-queries", Softmax::over_queries));
  table.push_back(variant("softmax-over-batch", Softmax::over_batch));
  table.push_back(variant("softmax-over-heads", Softmax::over_heads));
  table.push_back(variant("softmax-over-all", Softmax::over_matrix));
  table.push_back(variant("softmax-over-all", Softmax::over_all));
  table.push_back(variant("softmax-over-singleton", Softmax::over_singleton));
  table.push_back(variant("softmax-missing", Softmax::missing));
  table.push_back(variant("softmax-missing", Softmax::missing_divided, rare));
  table.push_back(variant("softmax-unnormalised", Softmax::unnormalised));
  table.push_back(variant("softmax-unnormalised", Softmax::unnormalised_raw));
  table.push_back(variant("softmax-keepdims-lost", Softmax::sums_lose_axis));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::both_lose_axis, rare));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::sums_to_columns, rare));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::both_to_columns, rare));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::maxima_lose_axis, rare));
  table.push_back(variant("softmax-keepdims-lost", Softmax::column_sums, rare));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::column_sums_to_rows, rare));
  table.push_back(
      variant("softmax-keepdims-lost", Softmax::column_maxima, rare));
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
  table.push_back(variant("softmax-l2", Softmax::l2));
  table.push_back(variant("softmax-l2", Softmax::l2_of_powers));
  table.push_back(variant("softmax-no-max-shift", Softmax::no_max_shift));
  table.push_back(variant("softmax-global-max", Softmax::global_max));
  table.push_back(variant("softmax-global-max", Softmax::matrix_max));
  table.push_back(shifted(Softmax::running_max, 0.0, Frequency::common));
  for (const double shift : {-1e4, -1e3, -100.0}) {
    table.push_back(shifted(Softmax::running_max, shift, rare));
  }
  for (const double shift : {1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0}) {
    table.push_back(shifted(Softmax::constant_shift, shift, rare));
  }
  return table;
}

}  // namespace grader
