// SPDX-License-Identifier: MIT
#include "grader/diagnosis/audit_answer.hpp"

#include <algorithm>
#include <cmath>

#include "grader/comparison/magnitude.hpp"

namespace grader {
namespace {

bool has_entries(EntryMap map, const Case& test_case) {
  const bool has_batch = test_case.dimensions.batch != 0;
  const bool has_heads = test_case.dimensions.heads != 0;
  switch (map) {
    case EntryMap::own:
      return true;
    case EntryMap::first_batch:
    case EntryMap::next_batch:
    case EntryMap::previous_batch:
    case EntryMap::reversed_batch:
      return has_batch;
    case EntryMap::first_head:
    case EntryMap::next_head:
    case EntryMap::previous_head:
    case EntryMap::reversed_heads:
    case EntryMap::next_key_head:
    case EntryMap::previous_key_head:
      return has_heads;
    case EntryMap::sum:
    case EntryMap::batch_only:
    case EntryMap::heads_outer:
      return has_batch && has_heads;
  }
  return true;
}

// Cell by cell the larger of two sizes; empty: 1 each.
std::vector<double> larger(const std::vector<double>& a,
                           const std::vector<double>& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;  // no size is below 1
  }
  std::vector<double> result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    result[i] = std::max(result[i], b[i]);
  }
  return result;
}

}  // namespace

bool is_meant_for(const Formula& formula, const Case& test_case) {
  return applies(formula, test_case) && has_axis(formula.scale, test_case) &&
         has_entries(formula.queries_of, test_case) &&
         has_entries(formula.keys_of, test_case) &&
         has_entries(formula.values_of, test_case) &&
         (formula.split != HeadSplit::not_transposed ||
          test_case.dimensions.heads != 0);
}

AuditAnswer audit_answer(const Formula& formula, const PreparedCase& prepared) {
  AuditAnswer answer;
  answer.applies = is_meant_for(formula, *prepared.test_case);
  if (!answer.applies) {
    return answer;
  }
  answer.weights = make_weights(formula, prepared.inputs, DType::float64);
  answer.is_loud = !answer.weights.prediction.loud.empty();
  if (!answer.is_loud) {
    answer.output = make_output(formula, prepared.inputs, answer.weights);
    answer.is_loud = !answer.output.prediction.loud.empty();
  }
  return answer;
}

AuditRuler::AuditRuler(const PreparedCase& prepared, const AuditRule& rule)
    : basis_(prepared.basis),
      rule_(rule),
      right_output_(largest_finite(prepared.test_case->expected.output)) {}

double AuditRuler::distance(const AuditAnswer& a, const AuditAnswer& b) const {
  if (!a.applies || !b.applies || (a.is_loud && b.is_loud)) {
    return 0.0;
  }
  if (a.is_loud != b.is_loud) {
    return infinity;
  }
  const Tolerance limit = rule_.tolerance
                              ? Tolerance{*rule_.tolerance, *rule_.tolerance}
                              : derived(a, b);
  const double output = output_distance(a, b, limit);
  return rule_.output_only ? output
                           : std::max(output, weights_distance(a, b, limit));
}

double AuditRuler::output_distance(const AuditAnswer& a, const AuditAnswer& b,
                                   const Tolerance& limit) const {
  return max_sized_error(a.output.prediction.output, b.output.prediction.output,
                         larger(sizes(a.output.sizes), sizes(b.output.sizes)),
                         basis_.ignored.output) /
         limit.output;
}

double AuditRuler::weights_distance(const AuditAnswer& a, const AuditAnswer& b,
                                    const Tolerance& limit) const {
  const Prediction& first = a.weights.prediction;
  const Prediction& second = b.weights.prediction;
  if (first.weights.shape != second.weights.shape) {
    return infinity;
  }
  if (first.weights_misfit) {
    return 0.0;  // wrong alike, and no case to compare rows by
  }
  return max_sized_error(first.weights, second.weights,
                         larger(sizes(a.weights.sizes), sizes(b.weights.sizes)),
                         basis_.ignored.weights) /
         limit.weights;
}

Tolerance AuditRuler::derived(const AuditAnswer& a,
                              const AuditAnswer& b) const {
  ErrorScale scale = basis_.error_scale;
  scale.score = std::max(
      {scale.score, a.weights.prediction.score, b.weights.prediction.score});
  Tolerance limit = derive_tolerance(scale, unit_roundoff(DType::float32));
  const double largest = std::max(a.weights.largest, b.weights.largest);
  const double magnitude = largest == 0.0 ? 1.0 : std::min(1.0, largest);
  limit.weights *= magnitude;
  limit.output *= magnitude;
  if (a.output.sizes.empty() && b.output.sizes.empty() && right_output_ > 0.0) {
    limit.output *= std::max(
        1.0, std::max(a.output.largest, b.output.largest) / right_output_);
  }
  return limit;
}

// An absolute tolerance knows of no sizes.
const std::vector<double>& AuditRuler::sizes(
    const std::vector<double>& of_answer) const {
  static const std::vector<double> none;
  return rule_.tolerance ? none : of_answer;
}

}  // namespace grader
