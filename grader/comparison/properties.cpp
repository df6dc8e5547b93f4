// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/comparison/compare.hpp"
#include "reference/multi_head.hpp"

namespace grader {
namespace {

using reference::Tensor;

// NaN violates everything.
double violation(double amount) {
  return std::isnan(amount) ? std::numeric_limits<double>::infinity() : amount;
}

// Keeps the worst case of one property.
class Check {
 public:
  explicit Check(std::string name) { property_.name = std::move(name); }

  void add(const Case& test_case, double amount, double limit) {
    seen_ = true;
    const double worst = violation(amount);
    if (worst > limit) {
      property_.holds = false;
    }
    if (worst > property_.worst) {
      property_.worst = worst;
      property_.detail = test_case.name;
    }
  }

  void append_to(std::vector<Property>& properties) const {
    if (seen_) {
      properties.push_back(property_);
    }
  }

 private:
  Property property_;
  bool seen_ = false;
};

double worst_row_sum(const Tensor& weights,
                     const std::vector<std::uint8_t>& ignored) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  double worst = 0.0;
  for (std::size_t row = 0; row * m < weights.data.size(); ++row) {
    if (!ignored.empty() && ignored[row] != 0) {
      continue;
    }
    long double sum = 0.0L;
    for (std::size_t j = 0; j < m; ++j) {
      sum += weights.data[row * m + j];
    }
    worst = std::max(worst, violation(std::abs(static_cast<double>(sum) - 1)));
  }
  return worst;
}

double most_negative(const Tensor& weights) {
  double worst = 0.0;
  for (const double weight : weights.data) {
    worst = std::max(worst, -weight);
  }
  return worst;
}

// W @ v where the task hands v over as it is.
double weighted_sum_error(const CaseObservation& observation,
                          const std::vector<std::uint8_t>& ignored) {
  const Case& test_case = *observation.test_case;
  Tensor v = test_case.arguments.back().tensor;
  if (test_case.kind == Kind::grouped_query_attention) {
    v = reference::repeat(
        v, test_case.dimensions.heads / test_case.dimensions.kv_heads, 1);
  }
  return max_error(*observation.output,
                   reference::matmul(*observation.weights, v), ignored);
}

bool has_plain_values(const CaseObservation& observation) {
  return !is_projected(observation.test_case->kind);
}

void append_flag(const std::string& name, const std::optional<bool>& holds,
                 std::vector<Property>& properties) {
  if (holds) {
    properties.push_back({.name = name,
                          .holds = *holds,
                          .worst = *holds ? 0.0 : 1.0,
                          .detail = ""});
  }
}

}  // namespace

double largest_hidden(const Tensor& weights, const reference::Mask& mask,
                      const std::vector<std::uint8_t>& ignored_rows) {
  const reference::Mask keep = reference::broadcast_to(mask, weights.shape);
  const auto m = static_cast<std::size_t>(weights.size(-1));
  double worst = 0.0;
  for (std::size_t i = 0; i < weights.data.size(); ++i) {
    if (keep.data[i] == 0 &&
        (ignored_rows.empty() || ignored_rows[i / m] == 0)) {
      worst = std::max(worst, violation(std::abs(weights.data[i])));
    }
  }
  return worst;
}

std::vector<Property> check_properties(
    const Observations& observations,
    const std::vector<const CaseBasis*>& bases, double unit_roundoff) {
  Check sums("rows sum to 1");
  Check signs("no weight is negative");
  Check hidden("hidden keys get weight 0");
  Check product("output = weights @ v");
  Check inputs("inputs are left unchanged");
  for (std::size_t i = 0; i < observations.cases.size(); ++i) {
    if (bases[i] == nullptr) {
      continue;
    }
    const CaseObservation& observation = observations.cases[i];
    const Case& test_case = *observation.test_case;
    Tolerance tolerance =
        derive_tolerance(bases[i]->error_scale, unit_roundoff);
    // Weights recovered through pinv(x) carry its rounding, magnified.
    tolerance.weights *= observation.recovery_growth;
    const IgnoredRows& ignored = bases[i]->ignored;
    if (std::holds_alternative<Returned>(observation.outcome)) {
      inputs.add(test_case, observation.input_mutated ? 1.0 : 0.0, 0.5);
    }
    if (!observation.weights) {
      continue;
    }
    const Tensor& weights = *observation.weights;
    const auto m = static_cast<double>(weights.size(-1));
    sums.add(test_case, worst_row_sum(weights, ignored.weights),
             m * tolerance.weights);
    signs.add(test_case, most_negative(weights), tolerance.weights);
    if (const auto mask = effective_mask(test_case)) {
      hidden.add(test_case, largest_hidden(weights, *mask, ignored.weights),
                 tolerance.weights);
    }
    if (observation.output && has_plain_values(observation) &&
        observation.weights_source == WeightsSource::returned) {
      product.add(test_case, weighted_sum_error(observation, ignored.output),
                  m * tolerance.output);
    }
  }
  std::vector<Property> properties;
  for (const Check* check : {&sums, &signs, &hidden, &product, &inputs}) {
    check->append_to(properties);
  }
  append_flag("the same answer twice", observations.same_answer_twice,
              properties);
  append_flag("the same output with weights == NULL",
              observations.same_without_weights, properties);
  return properties;
}

}  // namespace grader
