// SPDX-License-Identifier: MIT
// What is said of a class that holds its projections: tied and fixed sizes,
// conventions that are no faults.
#include <algorithm>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/diagnosis/hypotheses.hpp"
#include "grader/diagnosis/pretend.hpp"
#include "grader/diagnosis/public_cases.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

using FaultSets = std::vector<std::vector<std::string>>;

class ClassOf {
 public:
  ClassOf(const std::string& task, const ClassForm& form)
      : cases_(class_cases(task, form)), prepared_(prepare_cases(cases_)) {}

  Diagnosis play(const Formula& formula) const {
    return diagnose(pretend(formula, prepared_), prepared_, DType::float64);
  }

 private:
  std::vector<Case> cases_;
  std::vector<PreparedCase> prepared_;
};

bool has_formula(const HypothesisSet& set, const Formula& formula) {
  return std::ranges::any_of(set.singles, [&](const Hypothesis& one) {
    return one.formula == formula;
  });
}

bool has_tie(const Diagnosis& diagnosis, const std::string& fault) {
  return std::ranges::find(diagnosis.ties, std::vector{fault}) !=
         diagnosis.ties.end();
}

Operand transposed(Source source) {
  return {.source = source, .weight_transposed = true};
}

}  // namespace

TEST_CASE("a scale by a tied width goes by the name of d_k", "[class_cases]") {
  const ClassOf equal("self_attention", {.widths = Widths::all_equal});
  // 1/C and 1/d_v are this very scale.
  const Diagnosis diagnosis = equal.play({.scale = scales::by_dk});
  CHECK(diagnosis.faults == std::vector<std::string>{"scale-by-dk"});
  CHECK(diagnosis.ties == FaultSets{{"scale-twice"}});
  CHECK(diagnosis.certainty == "proven");
  const Diagnosis other = equal.play({.scale = {1.0, SizeAxis::d_k, -0.75}});
  CHECK(other.faults == std::vector<std::string>{"scale-other"});
  REQUIRE(other.evidence.scale_law);
  CHECK(other.evidence.scale_law->exponents ==
        std::map<std::string, double>{{"d_k", -0.75}});
}

TEST_CASE("a width that is not tied keeps its name", "[class_cases]") {
  const ClassOf tied("self_attention", {.widths = Widths::values_as_keys});
  CHECK(tied.play({.scale = scales::by_sqrt(SizeAxis::d_model)}).faults ==
        std::vector<std::string>{"scale-by-sqrt-dmodel"});
  const ClassOf free("self_attention", {});
  CHECK(free.play({.scale = scales::by_sqrt(SizeAxis::d_v)}).faults ==
        std::vector<std::string>{"scale-by-sqrt-dv"});
}

TEST_CASE("where a class fixes its sizes a law and a number are a tie",
          "[class_cases]") {
  const ClassOf fixed("multi_head_attention", {.d_model = 24, .heads = 4});
  const Diagnosis by_width = fixed.play({.scale = scales::by_dk});
  CHECK(by_width.faults == std::vector<std::string>{"scale-by-dk"});
  CHECK(has_tie(by_width, "scale-constant"));
  const Diagnosis number = fixed.play({.scale = scales::constant(0.3)});
  CHECK(number.faults == std::vector<std::string>{"scale-constant"});
  CHECK(has_tie(number, "scale-other"));
  // What varies is a law all the same.
  const Diagnosis by_keys = fixed.play({.scale = scales::by(SizeAxis::keys)});
  CHECK(by_keys.faults == std::vector<std::string>{"scale-by-keys"});
  CHECK_FALSE(has_tie(by_keys, "scale-constant"));
  CHECK(fixed.play({}).verdict == Verdict::correct);
}

TEST_CASE("sizes that are free leave a number no tie", "[class_cases]") {
  const ClassOf free("multi_head_attention", {});
  CHECK_FALSE(has_tie(free.play({.scale = scales::by_dk}), "scale-constant"));
  CHECK_FALSE(
      has_tie(free.play({.scale = scales::constant(0.3)}), "scale-other"));
}

TEST_CASE("how a class deals its weights is no hypothesis", "[class_cases]") {
  const HypothesisSet& function =
      hypotheses_of(Kind::multi_head_attention, MaskMode::none);
  const HypothesisSet& layers =
      hypotheses_of(Kind::multi_head_attention, MaskMode::none, Holder::layers);
  const HypothesisSet& arrays =
      hypotheses_of(Kind::multi_head_attention, MaskMode::none, Holder::arrays);
  const Formula swapped{.query = {.source = Source::key},
                        .key = {.source = Source::query}};
  const Formula in_turn{.split = HeadSplit::feature_major,
                        .merge = HeadMerge::feature_major};
  const Formula turned{.query = transposed(Source::query),
                       .key = transposed(Source::key),
                       .value = transposed(Source::value)};
  const Formula reversed{.merge = HeadMerge::reversed};
  for (const Formula& formula : {swapped, in_turn, turned, reversed}) {
    CHECK(has_formula(function, formula));
  }
  CHECK_FALSE(has_formula(layers, swapped));
  CHECK_FALSE(has_formula(layers, in_turn));
  CHECK(has_formula(layers, turned));
  CHECK(has_formula(layers, reversed));
  CHECK_FALSE(has_formula(arrays, turned));
  CHECK(std::ranges::none_of(layers.singles, [](const Hypothesis& one) {
    return one.faults.front() == "projections-swapped";
  }));
}

TEST_CASE("scores transposed in a class have no second name", "[class_cases]") {
  const Formula transposed_scores{.product = Product::keys_queries};
  const ClassOf layers("multi_head_attention", {});
  const Diagnosis diagnosis = layers.play(transposed_scores);
  CHECK(diagnosis.faults == std::vector<std::string>{"scores-transposed"});
  CHECK(diagnosis.ties.empty());
}

TEST_CASE("one projection used for keys and values is values replaced",
          "[class_cases]") {
  const ClassOf layers("multi_head_attention", {});
  CHECK(layers.play({.key = {.source = Source::value}}).faults ==
        std::vector<std::string>{"values-replaced"});
}

TEST_CASE("a causal mask that nobody asked for is found in classes",
          "[class_cases]") {
  for (const auto& [task, form] :
       {std::pair<std::string, ClassForm>{"self_attention",
                                          {.widths = Widths::all_equal}},
        {"masked_self_attention", {.masks = {MaskAxes::batch_keys}}},
        {"multi_head_attention", {}},
        {"masked_multi_head_attention",
         {.masks = {MaskAxes::batch_one_one_keys}}}}) {
    INFO(task);
    const ClassOf asked(task, form);
    CHECK(asked.play({.mask = MaskForm::causal_too}).faults ==
          std::vector<std::string>{"causal-unasked"});
  }
}

TEST_CASE("a class that is causal anyway is right under masks that are too",
          "[class_cases]") {
  const ClassOf causal(
      "masked_multi_head_attention",
      {.masks = {MaskAxes::batch_queries_keys}, .also_causal = true});
  CHECK(causal.play({.mask = MaskForm::causal_too}).verdict ==
        Verdict::correct);
  CHECK(causal.play({}).verdict == Verdict::correct);
}

}  // namespace grader
