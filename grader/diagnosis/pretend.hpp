// SPDX-License-Identifier: MIT
// Tests: what a submission that computes a given formula would be seen to do.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/prediction.hpp"
#include "grader/fixture/case.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

inline std::vector<Case> public_cases(const std::string& task) {
  const std::filesystem::path folder =
      std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures";
  std::vector<Case> cases;
  for (const auto& file :
       read_task(folder / "tasks" / (task + ".json")).case_files) {
    cases.push_back(read_case(file));
  }
  return cases;
}

enum class Answers { output_and_weights, output_only };

inline CaseObservation pretend_case(const Formula& formula,
                                    const PreparedCase& prepared,
                                    Answers answers) {
  CaseObservation observation;
  observation.test_case = prepared.test_case;
  const Prediction prediction =
      predict(formula, prepared.inputs, DType::float64);
  if (!prediction.loud.empty()) {
    observation.outcome = Raised{
        .type = "ValueError", .message = prediction.loud, .traceback = ""};
    return observation;
  }
  observation.outcome = Returned{};
  observation.output = prediction.output;
  if (answers == Answers::output_and_weights) {
    observation.weights = prediction.weights;
    observation.weights_source = WeightsSource::returned;
  }
  return observation;
}

// Raises where the formula means nothing (an axis that the rank does not have).
inline Observations pretend(const Formula& formula,
                            const std::vector<PreparedCase>& prepared,
                            Answers answers = Answers::output_and_weights) {
  Observations observations;
  for (const PreparedCase& one : prepared) {
    if (applies(formula, *one.test_case) &&
        has_axis(formula.scale, *one.test_case)) {
      observations.cases.push_back(pretend_case(formula, one, answers));
    } else {
      CaseObservation refused;
      refused.test_case = one.test_case;
      refused.outcome = Raised{
          .type = "ValueError", .message = "no such axis", .traceback = ""};
      observations.cases.push_back(refused);
    }
  }
  observations.same_answer_twice = true;
  return observations;
}

}  // namespace grader
