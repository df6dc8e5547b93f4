// SPDX-License-Identifier: MIT
#include "grader/diagnosis/pretend.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/rounding.hpp"

namespace grader {
namespace {

Outcome raise(const std::string& message) {
  return Raised{.type = "ValueError", .message = message, .traceback = ""};
}

void add_weights(const Formula& formula, const FormulaInputs& inputs,
                 const Prediction& prediction, Answers answers,
                 CaseObservation& observation) {
  const DType precision = observation.output_dtype;
  if (answers == Answers::output_and_weights) {
    if (prediction.weights_misfit) {
      observation.shape_problem =
          "weights have shape " +
          reference::to_string(prediction.weights.shape);
      observation.output.reset();
      return;
    }
    observation.weights = prediction.weights;
    observation.weights_source = WeightsSource::returned;
  } else if (!is_projected(inputs.test_case->kind) &&
             !prediction.weights_misfit) {
    reference::Tensor recovered =
        rounded(predict_recovered(formula, inputs, prediction.weights,
                                  prediction.output),
                precision);
    const bool finite = std::ranges::all_of(
        recovered.data, [](double weight) { return std::isfinite(weight); });
    if (finite) {
      observation.weights = std::move(recovered);
      observation.weights_source = WeightsSource::recovered;
    }
  }
}

// `inputs` are those of the case as the submission reads it.
CaseObservation observe_formula(const Formula& formula, const Case& test_case,
                                const FormulaInputs& inputs, DType precision,
                                Answers answers) {
  CaseObservation observation;
  observation.test_case = &test_case;
  observation.output_dtype = precision;
  observation.weights_dtype = precision;
  if (!applies(formula, test_case) || !has_axis(formula.scale, test_case)) {
    observation.outcome = raise("no such axis");
    return observation;
  }
  const Prediction prediction = predict_rounded(formula, inputs, precision);
  if (!prediction.loud.empty() && prediction.output.shape.empty()) {
    observation.outcome = raise(prediction.loud);
    return observation;
  }
  observation.outcome = Returned{};
  if (!prediction.loud.empty()) {
    observation.shape_problem = prediction.loud;
    return observation;
  }
  observation.output = prediction.output;
  add_weights(formula, inputs, prediction, answers, observation);
  return observation;
}

}  // namespace

RoundedCases::RoundedCases(const std::vector<PreparedCase>& prepared,
                           DType precision)
    : prepared_(prepared), precision_(precision) {
  cases_.reserve(prepared.size());
  inputs_.reserve(prepared.size());
  for (const PreparedCase& one : prepared) {
    cases_.push_back(
        std::make_unique<Case>(rounded_arguments(*one.test_case, precision)));
    inputs_.push_back(make_rounded_inputs(*cases_.back(), precision));
  }
}

Observations RoundedCases::pretend(const Formula& formula, Answers answers,
                                   const std::vector<int>& ranks) const {
  Observations observations;
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    const Case& test_case = *prepared_[i].test_case;
    const bool has_rank =
        ranks.empty() ||
        std::ranges::find(ranks, test_case.rank) != ranks.end();
    if (has_rank) {
      observations.cases.push_back(
          observe_formula(formula, test_case, inputs_[i], precision_, answers));
    } else {
      observations.cases.emplace_back();
      observations.cases.back().test_case = &test_case;
      observations.cases.back().outcome = raise("another rank");
    }
  }
  observations.same_answer_twice = true;
  return observations;
}

CaseObservation pretend_case(const Formula& formula,
                             const PreparedCase& prepared, Answers answers) {
  return observe_formula(formula, *prepared.test_case, prepared.inputs,
                         DType::float64, answers);
}

Observations pretend(const Formula& formula,
                     const std::vector<PreparedCase>& prepared,
                     Answers answers) {
  Observations observations;
  observations.cases.reserve(prepared.size());
  for (const PreparedCase& one : prepared) {
    observations.cases.push_back(pretend_case(formula, one, answers));
  }
  observations.same_answer_twice = true;
  return observations;
}

}  // namespace grader
