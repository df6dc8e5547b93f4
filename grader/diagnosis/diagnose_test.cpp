// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

const std::vector<std::string>& task_names() {
  static const std::vector<std::string> names = {
      "attention",
      "masked_attention",
      "causal_attention",
      "self_attention",
      "masked_self_attention",
      "causal_self_attention",
      "multi_head_attention",
      "masked_multi_head_attention",
      "causal_multi_head_attention",
      "grouped_query_attention",
      "masked_grouped_query_attention",
      "causal_grouped_query_attention"};
  return names;
}

struct Fixture {
  explicit Fixture(const std::string& task)
      : cases(public_cases(task)), prepared(prepare_cases(cases)) {}

  Diagnosis diagnose_formula(
      const Formula& formula,
      Answers answers = Answers::output_and_weights) const {
    return diagnose(pretend(formula, prepared, answers), prepared,
                    DType::float64);
  }

  const HypothesisSet& hypotheses() const {
    return hypotheses_of(cases.front().kind, cases.front().mask_mode);
  }

  std::vector<Case> cases;
  std::vector<PreparedCase> prepared;
};

bool names(const Diagnosis& diagnosis, const FaultSet& faults) {
  const auto sorted = [](const FaultSet& set) {
    return std::set<std::string>(set.begin(), set.end());
  };
  if (sorted(diagnosis.faults) == sorted(faults)) {
    return true;
  }
  return std::ranges::any_of(diagnosis.ties, [&](const FaultSet& tie) {
    return sorted(tie) == sorted(faults);
  });
}

// Whether the formula can be seen at all on some supported rank.
bool is_visible(const Formula& formula, const Fixture& fixture) {
  return std::ranges::any_of(fixture.prepared, [&](const PreparedCase& one) {
    if (!applies(formula, *one.test_case) ||
        !has_axis(formula.scale, *one.test_case)) {
      return false;
    }
    const Prediction prediction = predict(formula, one.inputs, DType::float64);
    return prediction.loud.empty();
  });
}

// Two variants may show only where they are one: by sqrt(m) where m = d_k. Then
// fewer faults reproduce the same numbers, and fewest come first.
bool is_part_of(const FaultSet& part, const FaultSet& whole) {
  return !part.empty() && std::ranges::all_of(part, [&](const auto& fault) {
    return std::ranges::find(whole, fault) != whole.end();
  });
}

// Functions that return only their output go the same way in every mask mode:
// one mode of each kind is enough.
std::vector<Answers> kinds_of_answers(const std::string& task) {
  const bool has_mode =
      task.starts_with("masked_") || task.starts_with("causal_");
  return has_mode ? std::vector<Answers>{Answers::output_and_weights}
                  : std::vector<Answers>{Answers::output_and_weights,
                                         Answers::output_only};
}

std::string text_of(const FaultSet& faults) {
  std::string text;
  for (const std::string& fault : faults) {
    text += fault + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("the right answer is correct on every task", "[diagnose]") {
  for (const std::string& task : task_names()) {
    INFO(task);
    const Fixture fixture(task);
    for (const Answers answers :
         {Answers::output_and_weights, Answers::output_only}) {
      const Diagnosis diagnosis = fixture.diagnose_formula(Formula{}, answers);
      CHECK(diagnosis.verdict == Verdict::correct);
      CHECK(diagnosis.faults.empty());
      CHECK(diagnosis.score == 1.0);
    }
  }
}

TEST_CASE("every single fault is named on every task", "[diagnose]") {
  for (const std::string& task : task_names()) {
    const Fixture fixture(task);
    for (const Hypothesis& hypothesis : fixture.hypotheses().singles) {
      if (!is_visible(hypothesis.formula, fixture)) {
        continue;
      }
      for (const Answers answers : kinds_of_answers(task)) {
        const Diagnosis diagnosis =
            fixture.diagnose_formula(hypothesis.formula, answers);
        INFO(task << ": " << text_of(hypothesis.faults) << "-> "
                  << to_string(diagnosis.verdict) << " "
                  << text_of(diagnosis.faults) << diagnosis.summary);
        CHECK(diagnosis.verdict == Verdict::faulty);
        CHECK(names(diagnosis, hypothesis.faults));
        CHECK(diagnosis.certainty == "proven");
      }
    }
  }
}

TEST_CASE("two faults at different stages are both named", "[diagnose]") {
  for (const std::string& task :
       {std::string("attention"), std::string("masked_multi_head_attention")}) {
    const Fixture fixture(task);
    // A step that shares no factor with the table's order visits every stage;
    // all pairs would take minutes under the sanitizers.
    constexpr std::size_t step = 7;
    for (std::size_t i = 0; i < fixture.hypotheses().doubles.size(); i += step) {
      const Hypothesis& hypothesis = fixture.hypotheses().doubles[i];
      if (!is_visible(hypothesis.formula, fixture)) {
        continue;
      }
      const Diagnosis diagnosis = fixture.diagnose_formula(hypothesis.formula);
      INFO(task << ": " << text_of(hypothesis.faults) << "-> "
                << to_string(diagnosis.verdict) << " "
                << text_of(diagnosis.faults) << diagnosis.summary);
      CHECK(diagnosis.verdict == Verdict::faulty);
      CHECK((names(diagnosis, hypothesis.faults) ||
             is_part_of(diagnosis.faults, hypothesis.faults)));
    }
  }
}

}  // namespace grader
