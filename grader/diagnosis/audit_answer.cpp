// SPDX-License-Identifier: MIT
#include "grader/diagnosis/audit_answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace grader {
namespace {

using reference::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

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

// Numbers beyond 1 are known relative to their size only.
struct Sized {
  const Tensor& numbers;
  const std::vector<double>& sizes;  // empty: 1 each
  double size(std::size_t i) const { return sizes.empty() ? 1.0 : sizes[i]; }
};

// max |a - b| / size over the rows that count, as max_error().
double sized_error(const Sized& a, const Sized& b,
                   const std::vector<std::uint8_t>& ignored) {
  const auto width = static_cast<std::size_t>(a.numbers.size(-1));
  double worst = 0.0;
  for (std::size_t i = 0; i < a.numbers.data.size(); ++i) {
    if (!ignored.empty() && ignored[i / width] != 0) {
      continue;
    }
    const double first = a.numbers.data[i];
    const double second = b.numbers.data[i];
    if (std::isfinite(first) != std::isfinite(second)) {
      return infinity;
    }
    if (std::isfinite(first)) {
      worst = std::max(
          worst, std::abs(first - second) / std::max(a.size(i), b.size(i)));
    }
  }
  return worst;
}

double largest_finite(const Tensor& tensor) {
  double largest = 0.0;
  for (const double value : tensor.data) {
    largest =
        std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  }
  return largest;
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
  return sized_error({a.output.prediction.output, sizes(a.output.sizes)},
                     {b.output.prediction.output, sizes(b.output.sizes)},
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
  return sized_error({first.weights, sizes(a.weights.sizes)},
                     {second.weights, sizes(b.weights.sizes)},
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
