// SPDX-License-Identifier: MIT
// FAULT_STEP: every nth fault is played, 1 for all of them.
#include <map>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "grader/diagnosis/self_test.hpp"
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
  Fixture(const std::string& task, const ClassForm& form)
      : cases(class_cases(task, form)), prepared(prepare_cases(cases)) {}

  Diagnosis diagnose_formula(
      const Formula& formula,
      Answers answers = Answers::output_and_weights) const {
    return diagnose(pretend(formula, prepared, answers), prepared,
                    DType::float64);
  }

  std::vector<Case> cases;
  std::vector<PreparedCase> prepared;
};

// Of what a task has at least, as far as it is played.
constexpr int least_named = 100 / FAULT_STEP;

int count_of(const std::map<Played, int>& counts, Played outcome) {
  const auto found = counts.find(outcome);
  return found == counts.end() ? 0 : found->second;
}

void check_confusions(const std::string& task, const SelfTestResult& result) {
  for (const Confusion& confusion : result.confusions) {
    INFO(task << ": " << confusion.played << " -> " << confusion.answer << " ["
              << confusion.detail << "]");
    CHECK((confusion.is_pair || confusion.outcome == Played::missed));
  }
  CHECK(result.is_clean());
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

TEST_CASE("every single fault is named on every task, no right form accused",
          "[diagnose]") {
  for (const std::string& task : task_names()) {
    const Fixture fixture(task);
    // Functions that return only their output go the same way in every mask
    // mode: one mode of each kind is enough.
    const bool has_mode =
        task.starts_with("masked_") || task.starts_with("causal_");
    for (const Answers answers :
         {Answers::output_and_weights, Answers::output_only}) {
      if (has_mode && answers == Answers::output_only) {
        continue;
      }
      const SelfTestResult result =
          run_self_test(fixture.prepared, {.answers = answers,
                                           .single_step = FAULT_STEP,
                                           .ranks_alone = false});
      check_confusions(task, result);
      CHECK(count_of(result.singles, Played::named) > least_named);
    }
  }
}

// Widths, sizes of the class's own and shapes of masks, each once at least.
const std::vector<std::pair<std::string, ClassForm>>& class_forms() {
  static const std::vector<std::pair<std::string, ClassForm>> forms = {
      {"self_attention", {.widths = Widths::values_as_keys}},
      {"self_attention", {.widths = Widths::all_equal}},
      {"self_attention", {.widths = Widths::all_equal, .d_model = 32}},
      {"causal_self_attention", {.d_model = 32}},
      {"masked_self_attention",
       {.widths = Widths::all_equal,
        .masks = {MaskAxes::queries_keys, MaskAxes::batch_queries_keys,
                  MaskAxes::batch_one_keys}}},
      {"masked_self_attention", {.masks = {MaskAxes::batch_keys}}},
      {"masked_self_attention", {.masks = {MaskAxes::batch_prefix}}},
      {"multi_head_attention", {.heads = 4}},
      {"multi_head_attention", {.raw_parameters = true}},
      {"causal_multi_head_attention", {.d_model = 24}},
      {"masked_multi_head_attention",
       {.masks = {MaskAxes::batch_one_one_keys}}},
      {"masked_multi_head_attention",
       {.masks = {MaskAxes::batch_queries_keys,
                  MaskAxes::batch_heads_queries_keys},
        .also_causal = true}}};
  return forms;
}

TEST_CASE("every single fault is named on the cases of a class", "[diagnose]") {
  for (const auto& [task, form] : class_forms()) {
    const Fixture fixture(task, form);
    const SelfTestResult result = run_self_test(
        fixture.prepared, {.single_step = FAULT_STEP, .ranks_alone = false});
    check_confusions(task, result);
    CHECK(count_of(result.singles, Played::named) > least_named);
    CHECK(count_of(result.right_forms, Played::right) > 5);
  }
}

TEST_CASE("faults are named in float32 behind a float64 interface, too",
          "[diagnose]") {
  const Fixture fixture("masked_grouped_query_attention");
  const SelfTestResult result =
      run_self_test(fixture.prepared, {.precision = DType::float32,
                                       .single_step = FAULT_STEP,
                                       .ranks_alone = false});
  check_confusions("masked_grouped_query_attention", result);
  CHECK(count_of(result.singles, Played::named) > least_named);
  CHECK(count_of(result.right_forms, Played::right) > 5);
}

TEST_CASE("two faults at different stages are both named", "[diagnose]") {
  for (const std::string& task :
       {std::string("attention"), std::string("masked_multi_head_attention")}) {
    const Fixture fixture(task);
    // All pairs take minutes: `attngrade selftest --pairs 1`.
    constexpr int step = 37 * FAULT_STEP;
    const SelfTestResult result =
        run_self_test(fixture.prepared, {.singles = false,
                                         .doubles = true,
                                         .double_step = step,
                                         .ranks_alone = false});
    CHECK(result.is_clean());
    const int known = count_of(result.doubles, Played::named) +
                      count_of(result.doubles, Played::partly);
    CHECK(known > 40 / FAULT_STEP);
    CHECK(count_of(result.doubles, Played::undecided) * 50 <= known);
  }
}

}  // namespace grader
