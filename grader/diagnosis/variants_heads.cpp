// SPDX-License-Identifier: MIT
// Where heads and values come from, and where they go to.
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

constexpr Operand queries{.source = Source::query};
constexpr Operand keys{.source = Source::key};
constexpr Operand values{.source = Source::value};
constexpr Operand input{.source = Source::input};
constexpr Where projected{.attention = false, .grouped = false};
constexpr Where multi_head{
    .attention = false, .self_attention = false, .grouped = false};
constexpr Where grouped{
    .attention = false, .self_attention = false, .multi_head = false};

Variant variant(Stage stage, const char* fault, const Formula& formula,
                Where where = {}, Frequency frequency = Frequency::common) {
  return {.stage = stage,
          .fault = fault,
          .formula = formula,
          .where = where,
          .frequency = frequency};
}

void add_values(std::vector<Variant>& table) {
  table.push_back(variant(Stage::weighted_sum, "weights-transposed",
                          {.weighted_sum = WeightedSum::weights_transposed}));
  table.push_back(
      variant(Stage::projection, "values-replaced", {.value = keys}));
  table.push_back(
      variant(Stage::projection, "values-replaced", {.value = queries}));
  table.push_back(variant(Stage::projection, "values-replaced",
                          {.value = input}, projected));
  table.push_back(variant(Stage::weighted_sum, "heads-averaged",
                          {.weighted_sum = WeightedSum::head_mean}, multi_head,
                          Frequency::rare));
  table.push_back(variant(Stage::weighted_sum, "values-averaged",
                          {.weighted_sum = WeightedSum::mean}));
}

void add_splits(std::vector<Variant>& table) {
  constexpr Frequency rare = Frequency::rare;
  const auto add = [&](const char* fault, const Formula& formula,
                       Frequency frequency = Frequency::common) {
    table.push_back(
        variant(Stage::heads, fault, formula, multi_head, frequency));
  };
  const auto add_merge = [&](const char* fault, HeadMerge form,
                             Frequency frequency = Frequency::common) {
    table.push_back(
        variant(Stage::merge, fault, {.merge = form}, multi_head, frequency));
  };
  add("heads-split-by-reshape", {.split = HeadSplit::by_reshape});
  add_merge("heads-merged-by-reshape", HeadMerge::by_reshape);
  add_merge("heads-merged-by-reshape", HeadMerge::batch_outer, rare);
  add_merge("heads-averaged", HeadMerge::averaged);
  add_merge("heads-averaged", HeadMerge::averaged_once, rare);
  add_merge("heads-averaged", HeadMerge::maximum, rare);
  add_merge("heads-averaged", HeadMerge::summed, rare);
  add("heads-reordered", {.split = HeadSplit::feature_major});
  add("heads-reordered",
      {.split = HeadSplit::feature_major, .merge = HeadMerge::feature_major});
  add("heads-reordered", {.split = HeadSplit::reversed}, rare);
  add("heads-reordered", {.split = HeadSplit::rolled}, rare);
  add("heads-reordered", {.split = HeadSplit::rolled_back}, rare);
  add_merge("heads-reordered", HeadMerge::reversed);
  add_merge("heads-reordered", HeadMerge::rolled, rare);
  add_merge("heads-reordered", HeadMerge::rolled_back, rare);
  add_merge("heads-reordered", HeadMerge::feature_major);
  add("heads-shared-projection", {.split = HeadSplit::first_columns});
  add("heads-shared-projection", {.split = HeadSplit::first_block}, rare);
}

Operand transposed(Operand operand) {
  operand.weight_transposed = true;
  return operand;
}

Operand activated(Operand operand) {
  operand.activated = true;
  return operand;
}

Operand missing(Operand) {
  return input;
}

// Every combination of the three operands, all of them first.
template <typename Change>
void add_combinations(const char* fault, Change change,
                      std::vector<Variant>& table) {
  for (int chosen = 7; chosen >= 1; --chosen) {
    Formula formula;
    if ((chosen & 4) != 0) {
      formula.query = change(queries);
    }
    if ((chosen & 2) != 0) {
      formula.key = change(keys);
    }
    if ((chosen & 1) != 0) {
      formula.value = change(values);
    }
    table.push_back(variant(Stage::projection, fault, formula, projected,
                            chosen == 7 ? Frequency::common : Frequency::rare));
  }
}

void add_projections(std::vector<Variant>& table) {
  add_combinations("projection-transposed", transposed, table);
  const auto swapped = [&](const Formula& formula, Frequency frequency) {
    table.push_back(variant(Stage::projection, "projections-swapped", formula,
                            projected, frequency));
  };
  swapped({.query = keys, .key = queries}, Frequency::common);
  swapped({.key = values, .value = keys}, Frequency::common);
  swapped({.query = values, .value = queries}, Frequency::common);
  swapped({.query = keys, .key = values, .value = queries}, Frequency::rare);
  swapped({.query = values, .key = queries, .value = keys}, Frequency::rare);
  swapped({.key = values}, Frequency::rare);
  swapped({.query = values}, Frequency::rare);
  table.push_back(variant(
      Stage::projection, "projections-swapped",
      {.value = {.source = Source::output}, .output = OutputForm::value_weight},
      multi_head, Frequency::rare));
  add_combinations("projection-missing", missing, table);
  add_combinations("projection-activated", activated, table);
}

}  // namespace

std::vector<Variant> head_variants() {
  std::vector<Variant> table;
  add_values(table);
  add_splits(table);
  add_projections(table);
  return table;
}

std::vector<Variant> output_variants() {
  std::vector<Variant> table;
  table.push_back(variant(Stage::output, "output-projection-missing",
                          {.output = OutputForm::not_projected}, multi_head));
  table.push_back(variant(Stage::output, "output-projection-transposed",
                          {.output = OutputForm::weight_transposed},
                          multi_head));
  const auto add_residual = [&](Residual form, Where where,
                                Frequency frequency) {
    table.push_back(variant(Stage::residual, "output-residual-added",
                            {.residual = form}, where, frequency));
  };
  add_residual(Residual::input, {}, Frequency::common);
  add_residual(Residual::values, {}, Frequency::rare);
  add_residual(Residual::input_before_projection, multi_head, Frequency::rare);
  const auto add_groups = [&](const char* fault, Grouping form) {
    const auto group = [&](const Formula& formula, Frequency frequency) {
      table.push_back(
          variant(Stage::heads, fault, formula, grouped, frequency));
    };
    group({.key_groups = form, .value_groups = form}, Frequency::common);
    group({.key_groups = form}, Frequency::rare);
    group({.value_groups = form}, Frequency::rare);
  };
  add_groups("gqa-tiled", Grouping::tile);
  add_groups("gqa-tiled", Grouping::along_tokens);
  add_groups("gqa-first-head-only", Grouping::first_head);
  for (const Storage storage : {Storage::output, Storage::weights,
                                Storage::scores, Storage::raw_scores}) {
    table.push_back(variant(
        Stage::storage, "integer-truncation", {.storage = storage}, {},
        storage == Storage::output ? Frequency::common : Frequency::rare));
  }
  return table;
}

}  // namespace grader
