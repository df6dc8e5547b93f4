// SPDX-License-Identifier: MIT
#include "grader/diagnosis/evidence.hpp"

#include <cmath>

#include "grader/comparison/magnitude.hpp"

namespace grader {

std::vector<PreparedCase> prepare_cases(const std::vector<Case>& cases) {
  std::vector<PreparedCase> prepared;
  prepared.reserve(cases.size());
  for (const Case& test_case : cases) {
    prepared.push_back(
        {.test_case = &test_case,
         .inputs = make_inputs(test_case),
         .basis = make_basis(test_case),
         .largest_output = largest_finite(test_case.expected.output),
         .predictions = std::make_shared<PredictionCache>()});
  }
  return prepared;
}

bool is_loud(const CaseObservation& observation) {
  return std::holds_alternative<Raised>(observation.outcome) ||
         !observation.shape_problem.empty();
}

bool is_silent(const CaseObservation& observation) {
  return std::holds_alternative<Returned>(observation.outcome) &&
         observation.shape_problem.empty() &&
         (observation.output || observation.weights);
}

bool weights_count(const CaseObservation& observation) {
  switch (observation.weights_source) {
    case WeightsSource::returned:
      return true;
    case WeightsSource::recovered:
      return !is_projected(observation.test_case->kind);
    case WeightsSource::not_recovered:
      break;
  }
  return false;
}

bool has_deciding_weights(const CaseObservation& observation) {
  return observation.weights && weights_count(observation);
}

bool leaks(const Evidenced& evidenced, double limit) {
  const std::optional<reference::Mask>& mask = evidenced.prepared->inputs.mask;
  if (!mask) {
    return false;
  }
  const reference::Tensor& weights = *evidenced.observation->weights;
  const auto& ignored = evidenced.prepared->basis.ignored.weights;
  const reference::Mask keep = reference::broadcast_to(*mask, weights.shape);
  const auto m = static_cast<std::size_t>(weights.size(-1));
  for (std::size_t i = 0; i < weights.data.size(); ++i) {
    const bool counts = ignored.empty() || ignored[i / m] == 0;
    if (counts && keep.data[i] == 0 && std::abs(weights.data[i]) > limit) {
      return true;
    }
  }
  return false;
}

bool is_informative(const PreparedCase& prepared, double unit_roundoff) {
  return derive_tolerance(prepared.basis.error_scale, unit_roundoff).weights <=
         largest_useful_tolerance;
}

}  // namespace grader
