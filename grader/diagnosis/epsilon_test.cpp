// SPDX-License-Identifier: MIT
// A small number in the denominator: a habit, wherever it stands.
#include "grader/diagnosis/epsilon.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Judge {
  explicit Judge(const std::string& task)
      : cases(public_cases(task)), prepared(prepare_cases(cases)) {}

  Diagnosis operator()(const Formula& formula,
                       Answers answers = Answers::output_and_weights) const {
    Observations observations = pretend(formula, prepared);
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      observations.cases[i] = pretend_case(formula, prepared[i], answers);
    }
    return diagnose(observations, prepared, DType::float64);
  }

  std::vector<Case> cases;
  std::vector<PreparedCase> prepared;
};

bool is_noted(const Diagnosis& diagnosis) {
  return std::ranges::find(diagnosis.notes, "small-epsilon") !=
         diagnosis.notes.end();
}

}  // namespace

TEST_CASE("any epsilon below 1e-6 beside a late mask is a note", "[epsilon]") {
  const Judge judge("masked_attention");
  for (const double epsilon : {1e-30, 0x1p-52, 3e-13, 1e-6}) {
    for (const bool on_shares : {false, true}) {
      for (const bool is_least : {false, true}) {
        const Diagnosis diagnosis =
            judge({.softmax = Softmax::renormalised_mask,
                   .epsilon = epsilon,
                   .epsilon_on_shares = on_shares,
                   .epsilon_is_least = is_least});
        INFO(epsilon << " " << on_shares << is_least << diagnosis.summary);
        CHECK(diagnosis.verdict == Verdict::correct);
        CHECK(is_noted(diagnosis));
      }
    }
  }
}

TEST_CASE("an epsilon hides no fault", "[epsilon]") {
  const Judge judge("masked_attention");
  const Formula habit{.softmax = Softmax::renormalised_mask,
                      .epsilon = 1e-9,
                      .epsilon_is_least = true};
  CHECK(judge(combine({.scale = scales::none}, habit)).faults ==
        std::vector<std::string>{"scale-missing"});
  CHECK(judge(combine({.scale = scales::constant(0.125)}, {.epsilon = 1e-9}))
            .faults == std::vector<std::string>{"scale-constant"});
}

TEST_CASE("an epsilon beside a fault of an output is found, too", "[epsilon]") {
  const Judge judge("multi_head_attention");
  CHECK(judge({.scale = scales::none, .epsilon = 1e-9}, Answers::output_only)
            .faults == std::vector<std::string>{"scale-missing"});
}

TEST_CASE("an epsilon that is too large leaves no rank right", "[epsilon]") {
  const Judge judge("attention");
  const Diagnosis diagnosis = judge({.epsilon = 1e-3});
  CHECK(diagnosis.faults == std::vector<std::string>{"softmax-large-epsilon"});
  REQUIRE(!diagnosis.faults_by_rank.empty());
  for (const auto& [rank, faults] : diagnosis.faults_by_rank) {
    CHECK(faults == diagnosis.faults);
  }
  CHECK(std::ranges::find(diagnosis.evidence.right, "softmax over the keys") ==
        diagnosis.evidence.right.end());
}

TEST_CASE("no sum at all is no least sum of 1", "[epsilon]") {
  const Judge judge("masked_self_attention");
  for (const Answers answers :
       {Answers::output_and_weights, Answers::output_only}) {
    CHECK(judge({.fill_form = Fill::after_softmax}, answers).faults ==
          std::vector<std::string>{"mask-after-softmax"});
  }
}

}  // namespace grader
