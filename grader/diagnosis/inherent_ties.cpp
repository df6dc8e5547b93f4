// SPDX-License-Identifier: MIT
#include "grader/diagnosis/inherent_ties.hpp"

#include <algorithm>
#include <array>

namespace grader {
namespace {

// The two formulas in the order of the ids of the entry, on a case of the task.
using Condition = bool (*)(const Formula& first, const Formula& second,
                           const Case& test_case);

struct InherentTie {
  const char* first;
  const char* second;
  const char* reason;
  Condition holds = nullptr;  // nullptr: always
};

bool has_one_length(const Formula& /*first*/, const Formula& /*second*/,
                    const Case& test_case) {
  return is_projected(test_case.kind) ||
         test_case.mask_mode == MaskMode::causal;
}

bool has_one_width(const Formula& /*first*/, const Formula& second,
                   const Case& test_case) {
  return test_case.kind == Kind::multi_head_attention &&
         second.product == Product::value_width;
}

bool swaps_queries_and_keys(const Formula& /*first*/, const Formula& second,
                            const Case& test_case) {
  return is_projected(test_case.kind) &&
         second == Formula{.query = {.source = Source::key},
                           .key = {.source = Source::query}};
}

bool moves_whole_heads(const Formula& first, const Formula& second,
                       const Case& /*test_case*/) {
  return first.queries_of == first.keys_of &&
         first.keys_of == first.values_of &&
         (second.split == HeadSplit::rolled ||
          second.split == HeadSplit::rolled_back ||
          second.split == HeadSplit::reversed);
}

bool reads_the_input(const Formula& first, const Formula& second,
                     const Case& /*test_case*/) {
  return first.value.source == Source::input && first.value == second.value;
}

bool is_tiny_addition(const Formula& /*first*/, const Formula& second,
                      const Case& /*test_case*/) {
  return second.fill_form == Fill::added;
}

bool is_tiny_replacement(const Formula& /*first*/, const Formula& second,
                         const Case& /*test_case*/) {
  return second.fill_form == Fill::replaced;
}

bool is_same_formula(const Formula& first, const Formula& second,
                     const Case& /*test_case*/) {
  return first == second;
}

bool is_far_below(const Formula& /*first*/, const Formula& second,
                  const Case& /*test_case*/) {
  constexpr double weakest_named_always = -1e4;
  return second.fill < weakest_named_always;
}

// The largest score of a row would have to lie between 709.8 and 709.8 plus the
// constant. Plain attention has a ladder of scores for that; behind projections
// no construction keeps them so close for every seed.
bool has_narrow_window(const Formula& /*first*/, const Formula& second,
                       const Case& test_case) {
  const double narrow =
      test_case.kind == Kind::multi_head_attention ? 100.0 : 10.0;
  return second.softmax == Softmax::constant_shift && second.shift <= narrow;
}

constexpr std::array ties = {
    InherentTie{"scale-by-dk", "scale-twice", "the same calculation"},
    InherentTie{"scale-negated", "softmax-negated",
                "softmax(-z) loses the sign at one place or at the other"},
    InherentTie{"scale-by-sqrt-keys", "scale-by-sqrt-queries",
                "the task has as many queries as keys", has_one_length},
    InherentTie{"scale-by-keys", "scale-by-queries",
                "the task has as many queries as keys", has_one_length},
    InherentTie{"correct", "features-truncated",
                "a head's values are as wide as its queries: min(d_k, d_v) "
                "columns are all of them",
                has_one_width},
    InherentTie{"correct", "mask-weak-fill",
                "a fill below every score hides as well as -inf: it is named "
                "only where a case makes it differ",
                is_far_below},
    InherentTie{"mask-added", "mask-weak-fill",
                "a 0/1 mask added is a fill of -1 added, up to a shift of the "
                "row",
                is_same_formula},
    InherentTie{"scores-transposed", "projections-swapped",
                "k q^T is q k^T with w_q and w_k exchanged",
                swaps_queries_and_keys},
    InherentTie{"heads-mixed", "heads-reordered",
                "queries, keys and values of another head are the heads in "
                "another order",
                moves_whole_heads},
    InherentTie{"values-replaced", "projection-missing",
                "x in place of its values is v without its projection",
                reads_the_input},
    InherentTie{"mask-ignored", "mask-tiny-fill",
                "1e-9 added to a score is lost in float32: nothing is hidden",
                is_tiny_addition},
    InherentTie{"causal-missing", "mask-tiny-fill",
                "1e-9 added to a score is lost in float32: nothing is hidden",
                is_tiny_addition},
    InherentTie{"mask-zero-fill", "mask-tiny-fill",
                "a score of 1e-9 is one of 0 in float32", is_tiny_replacement},
    InherentTie{"softmax-no-max-shift", "softmax-constant-shift",
                "a small constant only moves the point of overflow by as much",
                has_narrow_window},
};

// Seen by those only who return no weights.
constexpr std::array output_ties = {
    InherentTie{"scale-zero", "values-averaged",
                "uniform weights and the mean of the values have one output",
                [](const Formula& /*first*/, const Formula& /*second*/,
                   const Case& test_case) {
                  return test_case.mask_mode == MaskMode::none;
                }},
    InherentTie{"scale-values", "scale-after-softmax",
                "weights or values divided by sqrt(d_k) have one output"},
};

bool matches(const InherentTie& tie, const AuditedVariant& a,
             const AuditedVariant& b, const Case& test_case) {
  return a.fault == tie.first && b.fault == tie.second &&
         (tie.holds == nullptr || tie.holds(a.formula, b.formula, test_case));
}

template <typename Table>
std::string find_reason(const Table& table, const Audit& audit,
                        const AuditPair& pair) {
  const AuditedVariant& a = audit.variants[pair.first];
  const AuditedVariant& b = audit.variants[pair.second];
  const Case& test_case = *audit.cases.front();
  const auto found = std::ranges::find_if(table, [&](const InherentTie& tie) {
    return matches(tie, a, b, test_case) || matches(tie, b, a, test_case);
  });
  return found == table.end() ? "" : found->reason;
}

std::string reason_in_tables(const Audit& audit, const AuditPair& tie) {
  std::string reason = find_reason(ties, audit, tie);
  return reason.empty() && audit.rule.output_only
             ? find_reason(output_ties, audit, tie)
             : reason;
}

}  // namespace

std::string inherent_reason(const Audit& audit, const AuditPair& tie) {
  std::string reason = reason_in_tables(audit, tie);
  if (!reason.empty() || tie.first == 0) {
    return reason;
  }
  const bool both_are_right =
      !reason_in_tables(audit, {.first = 0, .second = tie.first}).empty() &&
      !reason_in_tables(audit, {.first = 0, .second = tie.second}).empty();
  return both_are_right ? "both are the right answer here" : "";
}

std::vector<std::pair<std::string, std::string>> inherent_pairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(ties.size() + output_ties.size());
  for (const InherentTie& tie : ties) {
    pairs.emplace_back(tie.first, tie.second);
  }
  for (const InherentTie& tie : output_ties) {
    pairs.emplace_back(tie.first, tie.second);
  }
  return pairs;
}

}  // namespace grader
