// SPDX-License-Identifier: MIT
#include "grader/diagnosis/evidence.hpp"

namespace grader {

std::vector<PreparedCase> prepare_cases(const std::vector<Case>& cases) {
  std::vector<PreparedCase> prepared;
  prepared.reserve(cases.size());
  for (const Case& test_case : cases) {
    prepared.push_back({.test_case = &test_case,
                        .inputs = make_inputs(test_case),
                        .basis = make_basis(test_case),
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
      return observation.test_case->kind == Kind::attention ||
             observation.test_case->kind == Kind::grouped_query_attention;
    case WeightsSource::not_recovered:
      break;
  }
  return false;
}

bool is_informative(const PreparedCase& prepared, double unit_roundoff) {
  return derive_tolerance(prepared.basis.error_scale, unit_roundoff).weights <=
         largest_useful_tolerance;
}

}  // namespace grader
