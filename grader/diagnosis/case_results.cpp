// SPDX-License-Identifier: MIT
#include "grader/diagnosis/case_results.hpp"

#include <algorithm>

namespace grader {
namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string outcome_detail(const CaseObservation& observation) {
  if (const auto* raised = std::get_if<Raised>(&observation.outcome)) {
    return first_line(raised->type + ": " + raised->message);
  }
  return observation.shape_problem;
}

// By the output alone where the weights were recovered from other calls.
bool answer_passes(const Evidenced& evidenced, const Formula& accepted,
                   DType precision) {
  if (evidenced.observation->weights_source != WeightsSource::recovered) {
    return false;
  }
  CaseObservation answer = *evidenced.observation;
  answer.weights.reset();
  return fit_case(accepted, {evidenced.prepared, &answer}, precision).ratio <=
         1.0;
}

CaseResult case_result(const Evidenced& evidenced, const Formula& accepted,
                       DType precision) {
  const CaseObservation& observation = *evidenced.observation;
  CaseResult result;
  result.name = evidenced.test_case().name;
  result.rank = evidenced.test_case().rank;
  result.is_public = evidenced.test_case().is_public;
  result.outcome = outcome_name(observation.outcome);
  result.detail = outcome_detail(observation);
  if (!is_silent(observation)) {
    return result;
  }
  const CaseFit fit = fit_case(accepted, evidenced, precision);
  result.max_error = fit.error;
  result.tolerance = fit.limit;
  result.passed = fit.ratio <= 1.0;
  result.answer_passed =
      result.passed || answer_passes(evidenced, accepted, precision);
  if (!is_informative(*evidenced.prepared, unit_roundoff(precision))) {
    result.excluded = "says nothing at this precision";
  }
  return result;
}

}  // namespace

void list_cases(const Observations& observations,
                const std::vector<PreparedCase>& prepared,
                const std::optional<Classification>& classification,
                DType interface_precision, Diagnosis& diagnosis) {
  const bool correct = classification && classification->is_correct;
  const Formula accepted =
      correct ? classification->explanation.formula : Formula{};
  const DType precision =
      classification ? classification->precision : interface_precision;
  for (const CaseObservation& observation : observations.cases) {
    const auto found = std::ranges::find(prepared, observation.test_case,
                                         &PreparedCase::test_case);
    CaseResult result =
        case_result({&*found, &observation}, accepted, precision);
    const bool supported = std::ranges::find(diagnosis.ranks, result.rank) !=
                           diagnosis.ranks.end();
    if (!supported && !diagnosis.ranks.empty()) {
      result.excluded = "this rank is declined";
    }
    diagnosis.cases.push_back(std::move(result));
  }
}

}  // namespace grader
