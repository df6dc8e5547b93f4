// SPDX-License-Identifier: MIT
// The wrong variants of every stage, each with its fault: the catalogue as
// tables. Texts are in catalogue.json; a test holds the two together.
#pragma once

#include <vector>

#include "grader/diagnosis/formula.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

enum class Stage {
  projection,
  heads,  // split, grouping, whose rows
  product,
  scale,
  mask,  // which keys
  fill,  // how
  softmax,
  weighted_sum,
  merge,
  output,
  residual,
  storage,
};

// On which kinds and in which mask modes a variant has this name.
struct Where {
  bool attention = true;
  bool self_attention = true;
  bool multi_head = true;
  bool grouped = true;
  bool unmasked = true;
  bool masked = true;
  bool causal = true;
};

bool includes(const Where& where, Kind kind, MaskMode mask_mode);

// How often it is met: a pair of faults is looked for among the common ones.
enum class Frequency { common, rare };

struct Variant {
  Stage stage;
  const char* fault;
  Formula formula;
  Where where{};
  Frequency frequency = Frequency::common;
};

// In the order of the contract: of two that give the same numbers on every
// input the first is reported.
std::vector<Variant> scale_variants();
std::vector<Variant> product_variants();
std::vector<Variant> mask_variants();
std::vector<Variant> softmax_variants();
std::vector<Variant> head_variants();
std::vector<Variant> output_variants();

}  // namespace grader
