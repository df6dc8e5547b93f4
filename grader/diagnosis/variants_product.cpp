// SPDX-License-Identifier: MIT
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

constexpr Operand query_rows{.source = Source::query};
constexpr Operand key_rows{.source = Source::key};
constexpr Where four_axes{.self_attention = false};

Variant product(const char* fault, Product product,
                Frequency frequency = Frequency::common) {
  return {.stage = Stage::product,
          .fault = fault,
          .formula = {.product = product},
          .frequency = frequency};
}

Variant features(Product form, Frequency frequency = Frequency::rare) {
  return product("features-truncated", form, frequency);
}

// The heads of a projection tie the two widths.
Variant value_width() {
  Variant result = features(Product::value_width);
  result.where.multi_head = false;
  return result;
}

Variant cosine(Product form, Scale scale, Frequency frequency) {
  return {.stage = Stage::product,
          .fault = "cosine-scores",
          .formula = {.product = form, .scale = scale},
          .frequency = frequency};
}

bool permutes_heads(EntryMap map) {
  return map == EntryMap::first_head || map == EntryMap::next_head ||
         map == EntryMap::previous_head || map == EntryMap::reversed_heads;
}

// The same rows for keys, for values, or for both. Heads of a projection that
// are all three in another order, and the first of the grouped heads, have
// names of their own.
void add_entries(const char* fault, EntryMap map, Frequency frequency,
                 std::vector<Variant>& table) {
  const bool is_first = map == EntryMap::first_head;
  const auto add = [&](const Formula& formula, Where where,
                       Frequency how_often) {
    table.push_back({.stage = Stage::heads,
                     .fault = fault,
                     .formula = formula,
                     .where = where,
                     .frequency = how_often});
  };
  const Where where{.grouped = !is_first};
  add({.keys_of = map, .values_of = map}, where, frequency);
  add({.keys_of = map}, where, frequency);
  add({.values_of = map}, where, Frequency::rare);
  add({.queries_of = map}, where, Frequency::rare);
  add({.queries_of = map, .keys_of = map, .values_of = map},
      {.multi_head = !permutes_heads(map), .grouped = !is_first},
      Frequency::rare);
}

std::vector<Variant> product_table() {
  return {
      product("keys-transposed-all-axes", Product::keys_all_axes),
      product("keys-transposed-all-axes", Product::keys_leading_axes,
              Frequency::rare),
      product("keys-transposed-all-axes", Product::keys_first_axes,
              Frequency::rare),
      product("keys-not-transposed", Product::keys_not_transposed),
      product("keys-reshaped", Product::keys_reshaped),
      product("scores-transposed", Product::keys_queries),
      {.stage = Stage::projection,
       .fault = "queries-with-queries",
       .formula = {.key = query_rows}},
      {.stage = Stage::projection,
       .fault = "keys-with-keys",
       .formula = {.query = key_rows}},
      features(Product::half_features, Frequency::common),
      features(Product::one_feature),
      features(Product::all_but_one, Frequency::common),
      value_width(),
      features(Product::multiple_of_two),
      features(Product::multiple_of_four),
      features(Product::multiple_of_eight),
      features(Product::multiple_of_sixteen),
      features(Product::at_most_eight),
      features(Product::at_most_sixteen),
      features(Product::at_most_thirty_two),
  };
}

void add_mixed_entries(std::vector<Variant>& table) {
  constexpr Frequency rare = Frequency::rare;
  add_entries("batch-mixed", EntryMap::first_batch, Frequency::common, table);
  for (const EntryMap map :
       {EntryMap::next_batch, EntryMap::previous_batch,
        EntryMap::reversed_batch, EntryMap::sum, EntryMap::heads_outer}) {
    add_entries("batch-mixed", map, rare, table);
  }
  add_entries("heads-mixed", EntryMap::first_head, Frequency::common, table);
  for (const EntryMap map : {EntryMap::next_head, EntryMap::previous_head,
                             EntryMap::reversed_heads, EntryMap::batch_only}) {
    add_entries("heads-mixed", map, rare, table);
  }
}

// Of the grouped heads, before they are repeated.
void add_mixed_key_heads(std::vector<Variant>& table) {
  const Where grouped{
      .attention = false, .self_attention = false, .multi_head = false};
  for (const EntryMap map :
       {EntryMap::next_key_head, EntryMap::previous_key_head}) {
    for (const Formula& formula :
         {Formula{.keys_of = map, .values_of = map}, Formula{.keys_of = map},
          Formula{.values_of = map}}) {
      table.push_back({.stage = Stage::heads,
                       .fault = "heads-mixed",
                       .formula = formula,
                       .where = grouped,
                       .frequency = Frequency::rare});
    }
  }
}

// Without a transpose the merge is none either, or the usual one.
void add_swapped_tokens(std::vector<Variant>& table) {
  table.push_back({.stage = Stage::heads,
                   .fault = "tokens-heads-swapped",
                   .formula = {.split = HeadSplit::not_transposed,
                               .merge = HeadMerge::by_reshape},
                   .where = four_axes});
  table.push_back({.stage = Stage::heads,
                   .fault = "tokens-heads-swapped",
                   .formula = {.split = HeadSplit::not_transposed},
                   .where = four_axes,
                   .frequency = Frequency::rare});
}

void add_cosines(std::vector<Variant>& table) {
  constexpr Frequency rare = Frequency::rare;
  table.push_back(cosine(Product::cosine, scales::none, Frequency::common));
  table.push_back(cosine(Product::cosine, scales::by_sqrt_dk, rare));
  for (const Product one_side :
       {Product::cosine_queries, Product::cosine_keys}) {
    table.push_back(cosine(one_side, scales::none, rare));
    table.push_back(cosine(one_side, scales::by_sqrt_dk, rare));
  }
}

}  // namespace

std::vector<Variant> product_variants() {
  std::vector<Variant> table = product_table();
  add_mixed_entries(table);
  add_mixed_key_heads(table);
  add_swapped_tokens(table);
  add_cosines(table);
  return table;
}

}  // namespace grader
