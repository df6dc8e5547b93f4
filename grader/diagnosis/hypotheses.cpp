// SPDX-License-Identifier: MIT
#include "grader/diagnosis/hypotheses.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "grader/diagnosis/epsilon.hpp"
#include "grader/diagnosis/variants.hpp"

namespace grader {
namespace {

std::vector<Variant> make_table() {
  std::vector<Variant> table;
  for (const auto& part :
       {scale_variants(), product_variants(), mask_variants(),
        softmax_variants(), head_variants(), output_variants()}) {
    table.insert(table.end(), part.begin(), part.end());
  }
  return table;
}

const std::vector<Variant>& all_variants() {
  static const std::vector<Variant> table = make_table();
  return table;
}

// softmax(s) / sqrt(d_k) misses the scale and divides the weights: one fault
// misplaced, or two. A 1 in the denominator is an epsilon of 1, a base of 2 a
// scale. The causal mask is a mask, too.
std::vector<FaultSet> equivalents_of(const Formula& formula,
                                     MaskMode mask_mode) {
  if (formula.scale == scales::base_two) {
    return {{"scale-other"}};
  }
  if (mask_mode == MaskMode::causal) {
    switch (formula.mask) {
      case MaskForm::ignored:
        return {{"mask-ignored"}};
      case MaskForm::future:
        return {{"mask-transposed"}};
      case MaskForm::future_strict:
        return {{"mask-inverted"}};
      default:
        break;
    }
  }
  if (formula.scale == scales::none &&
      (formula.weight_factor != WeightFactor::none ||
       formula.value_factor == ValueFactor::by_sqrt_dk)) {
    return {{"scale-missing", "scale-after-softmax"}};
  }
  if (formula.softmax == Softmax::plus_one ||
      formula.softmax == Softmax::plus_one_raw ||
      formula.softmax == Softmax::plus_one_shifted) {
    return {{"softmax-large-epsilon"}};
  }
  return {};
}

// Uniform weights hide whatever happens before them.
bool hides_the_scores(const Variant& variant) {
  return variant.formula.scale == scales::zero ||
         variant.formula.softmax == Softmax::over_singleton ||
         variant.formula.weighted_sum == WeightedSum::mean;
}

// A fault that shows in what overflows only.
bool is_about_overflow(const Variant& variant) {
  const Softmax softmax = variant.formula.softmax;
  return softmax == Softmax::no_max_shift ||
         softmax == Softmax::constant_shift || softmax == Softmax::running_max;
}

// Integers are exact in float16, too: what overflowed before them may be its
// doing.
bool hides_the_overflow(const Variant& variant) {
  return variant.formula.storage != Storage::exact;
}

bool combines(const Variant& a, const Variant& b) {
  if (a.stage == b.stage || a.frequency == Frequency::rare ||
      b.frequency == Frequency::rare || std::string(a.fault) == b.fault ||
      !are_independent(a.formula, b.formula)) {
    return false;
  }
  // Two minus signs are none.
  const bool cancels = a.formula.scale == scales::negated &&
                       b.formula.softmax == Softmax::negated;
  const bool unprovable = hides_the_scores(a) || hides_the_scores(b) ||
                          (is_about_overflow(a) && hides_the_overflow(b)) ||
                          (is_about_overflow(b) && hides_the_overflow(a));
  return !cancels && !unprovable;
}

bool deals_columns_in_turn(const Formula& formula) {
  return formula.split == HeadSplit::feature_major ||
         formula.merge == HeadMerge::feature_major;
}

// Two of the three come from one weight, whatever it is called.
bool uses_one_twice(const Formula& formula) {
  return formula.query.source == formula.key.source ||
         formula.query.source == formula.value.source ||
         formula.key.source == formula.value.source;
}

// What it is called where a class holds the weights; nothing where it is the
// class's own affair.
const char* fault_of(const Variant& variant, Holder holder) {
  const std::string fault = variant.fault;
  if (holder == Holder::arguments) {
    return variant.fault;
  }
  if (fault == "projections-swapped") {
    return uses_one_twice(variant.formula) ? "values-replaced" : nullptr;
  }
  const bool is_convention =
      (fault == "heads-reordered" && deals_columns_in_turn(variant.formula)) ||
      (fault == "projection-transposed" && holder == Holder::arrays);
  return is_convention ? nullptr : variant.fault;
}

std::vector<Variant> variants_of(Kind kind, MaskMode mask_mode, Holder holder) {
  std::vector<Variant> result;
  for (Variant variant : all_variants()) {
    const char* fault = fault_of(variant, holder);
    if (fault != nullptr && includes(variant.where, kind, mask_mode)) {
      variant.fault = fault;
      result.push_back(variant);
    }
  }
  return result;
}

// e / e.sum(axis) with e = exp(z) or exp(z - z.max()), the axis or the shape of
// the sum wrong: the other slip of whoever writes a softmax by hand.
void add_softmax_slips(const Variant& variant,
                       std::vector<Hypothesis>& doubles) {
  const auto add = [&](Shift shift, const char* fault) {
    Formula formula = variant.formula;
    formula.exponent_shift = shift;
    doubles.push_back({{variant.fault, fault}, formula, {}});
  };
  switch (variant.formula.softmax) {
    case Softmax::over_queries:
    case Softmax::over_batch:
    case Softmax::over_heads:
    case Softmax::over_matrix:
    case Softmax::sums_lose_axis:
    case Softmax::sums_to_columns:
      add(Shift::none, "softmax-no-max-shift");
      add(Shift::largest, "softmax-global-max");
      break;
    case Softmax::over_all:  // the largest score of all is its own maximum
      add(Shift::none, "softmax-no-max-shift");
      break;
    default:
      break;
  }
}

HypothesisSet make_set(Kind kind, MaskMode mask_mode, Holder holder) {
  const std::vector<Variant> table = variants_of(kind, mask_mode, holder);
  HypothesisSet set;
  set.correct_forms = {Formula{}, {.guarded = true}};
  if (mask_mode != MaskMode::none) {
    set.correct_forms.insert(set.correct_forms.end(),
                             {{.fill_form = Fill::large_negative},
                              {.fill_form = Fill::large_negative_added},
                              {.softmax = Softmax::renormalised_mask}});
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    set.singles.push_back({{table[i].fault},
                           table[i].formula,
                           equivalents_of(table[i].formula, mask_mode)});
    add_softmax_slips(table[i], set.doubles);
    for (std::size_t j = i + 1; j < table.size(); ++j) {
      if (combines(table[i], table[j])) {
        set.doubles.push_back({{table[i].fault, table[j].fault},
                               combine(table[i].formula, table[j].formula),
                               {}});
      }
    }
  }
  return set;
}

using SetKey = std::tuple<Kind, MaskMode, Holder>;

Holder holder_of(const Case& test_case) {
  if (!test_case.form) {
    return Holder::arguments;
  }
  return test_case.form->raw_parameters ? Holder::arrays : Holder::layers;
}

}  // namespace

bool includes(const Where& where, Kind kind, MaskMode mask_mode) {
  const bool has_kind =
      (kind == Kind::attention && where.attention) ||
      (kind == Kind::self_attention && where.self_attention) ||
      (kind == Kind::multi_head_attention && where.multi_head) ||
      (kind == Kind::grouped_query_attention && where.grouped);
  const bool has_mode = (mask_mode == MaskMode::none && where.unmasked) ||
                        (mask_mode == MaskMode::masked && where.masked) ||
                        (mask_mode == MaskMode::causal && where.causal);
  return has_kind && has_mode;
}

const HypothesisSet& hypotheses_of(Kind kind, MaskMode mask_mode,
                                   Holder holder) {
  static std::mutex mutex;
  static std::map<SetKey, HypothesisSet> sets;
  const std::scoped_lock lock(mutex);
  const SetKey key{kind, mask_mode, holder};
  const auto known = sets.find(key);
  return known != sets.end()
             ? known->second
             : sets.emplace(key, make_set(kind, mask_mode, holder))
                   .first->second;
}

const HypothesisSet& hypotheses_of(const Case& test_case) {
  return hypotheses_of(test_case.kind, test_case.mask_mode,
                       holder_of(test_case));
}

std::vector<std::string> faults_with_formulas() {
  std::vector<std::string> faults;
  for (const Variant& variant : all_variants()) {
    if (std::ranges::find(faults, variant.fault) == faults.end()) {
      faults.emplace_back(variant.fault);
    }
  }
  return faults;
}

std::vector<std::string> right_stages(const Formula& formula,
                                      MaskMode mask_mode) {
  const Formula right;
  std::vector<std::string> stages;
  if (formula.product == right.product && formula.query == right.query &&
      formula.key == right.key) {
    stages.emplace_back("product of queries and keys");
  }
  if (formula.scale == right.scale) {
    stages.emplace_back("scale");
  }
  if (mask_mode != MaskMode::none && formula.fill_form == right.fill_form &&
      formula.mask == right.mask) {
    stages.emplace_back("mask");
  }
  if (formula.softmax == right.softmax && is_harmless(formula.epsilon) &&
      formula.weight_factor == right.weight_factor) {
    stages.emplace_back("softmax over the keys");
  }
  if (formula.weighted_sum == right.weighted_sum &&
      formula.value_factor == right.value_factor &&
      formula.value == right.value) {
    stages.emplace_back("weighted sum");
  }
  return stages;
}

}  // namespace grader
