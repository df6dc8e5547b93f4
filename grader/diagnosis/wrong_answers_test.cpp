// SPDX-License-Identifier: MIT
// Answers that are no attempt at the task: none of them is correct, and none is
// taken for a fault that it is not. TASK_STEP: every nth task is asked, 1 for
// all of them.
#include <algorithm>
#include <cmath>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "reference/random.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using reference::Tensor;

// Fills an output of the right shape.
using Answer = void (*)(const Case&, Tensor&);

struct Play {
  Answer answer = nullptr;
  DType precision = DType::float64;
};

void zeros(const Case&, Tensor& output) {
  std::ranges::fill(output.data, 0.0);
}

void ones(const Case&, Tensor& output) {
  std::ranges::fill(output.data, 1.0);
}

void not_a_number(const Case&, Tensor& output) {
  std::ranges::fill(output.data, std::nan(""));
}

void noise(const Case& test_case, Tensor& output) {
  output = reference::Random(test_case.seed + 1).standard_normal(output.shape);
}

// Rows of the first argument, as far as they reach.
void inputs(const Case& test_case, Tensor& output) {
  const std::vector<double>& first = test_case.arguments.front().tensor.data;
  for (std::size_t i = 0; i < output.data.size(); ++i) {
    output.data[i] = first[i % first.size()];
  }
}

Observations answer_all(const std::vector<Case>& cases, Answer answer) {
  Observations observations;
  for (const Case& test_case : cases) {
    CaseObservation observation;
    observation.test_case = &test_case;
    observation.outcome = Returned{};
    observation.output = Tensor(test_case.expected.output.shape);
    answer(test_case, *observation.output);
    observations.cases.push_back(observation);
  }
  return observations;
}

// The weights that go with a constant output: all on the first key.
void add_one_hot_weights(Observations& observations) {
  for (CaseObservation& observation : observations.cases) {
    Tensor weights(observation.test_case->expected.weights.shape);
    const auto m = static_cast<std::size_t>(weights.size(-1));
    for (std::size_t i = 0; i < weights.data.size(); i += m) {
      weights.data[i] = 1.0;
    }
    observation.weights = weights;
    observation.weights_source = WeightsSource::returned;
  }
}

std::vector<Task> some_tasks() {
  std::vector<Task> all =
      read_tasks(std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures");
  std::vector<Task> some;
  for (std::size_t i = 0; i < all.size(); i += TASK_STEP) {
    some.push_back(std::move(all[i]));
  }
  return some;
}

}  // namespace

TEST_CASE("an answer that is no attempt is neither right nor a fault",
          "[wrong_answers]") {
  for (const Task& task : some_tasks()) {
    const std::vector<Case> cases = read_cases(task);
    const auto prepared = prepare_cases(cases);
    // Noise is the answer that the two precisions could treat differently.
    for (const auto& [answer, precision] :
         {Play{.answer = zeros}, Play{.answer = ones},
          Play{.answer = not_a_number}, Play{.answer = inputs},
          Play{.answer = noise},
          Play{.answer = noise, .precision = DType::float32}}) {
      const Diagnosis diagnosis =
          diagnose(answer_all(cases, answer), prepared, precision);
      INFO(task.name << ": " << diagnosis.summary);
      CHECK(diagnosis.verdict != Verdict::correct);
      // NaN throughout is what 0 times infinity in a mask leaves, too.
      const bool may_be_the_mask =
          task.mask_mode != MaskMode::none &&
          diagnosis.faults == std::vector<std::string>{"mask-nan"};
      CHECK((diagnosis.verdict != Verdict::faulty || may_be_the_mask));
      if (may_be_the_mask) {
        CHECK(diagnosis.certainty == "tied");
      }
    }
  }
}

TEST_CASE("one-hot weights are neither right nor a fault", "[wrong_answers]") {
  for (const Task& task : some_tasks()) {
    const std::vector<Case> cases = read_cases(task);
    Observations observations = answer_all(cases, zeros);
    add_one_hot_weights(observations);
    const Diagnosis diagnosis =
        diagnose(observations, prepare_cases(cases), DType::float64);
    INFO(task.name << ": " << diagnosis.summary);
    CHECK(diagnosis.verdict != Verdict::correct);
    CHECK(diagnosis.verdict != Verdict::faulty);
  }
}

}  // namespace grader
