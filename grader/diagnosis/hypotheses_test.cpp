// SPDX-License-Identifier: MIT
#include "grader/diagnosis/hypotheses.hpp"

#include <algorithm>
#include <set>

#include "grader/diagnosis/catalogue.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

std::vector<const HypothesisSet*> all_sets() {
  std::vector<const HypothesisSet*> sets;
  for (const Kind kind :
       {Kind::attention, Kind::self_attention, Kind::multi_head_attention,
        Kind::grouped_query_attention}) {
    for (const MaskMode mode :
         {MaskMode::none, MaskMode::masked, MaskMode::causal}) {
      sets.push_back(&hypotheses_of(kind, mode));
    }
  }
  return sets;
}

}  // namespace

TEST_CASE("every fault with a formula has its text in the catalogue",
          "[hypotheses]") {
  for (const std::string& fault : faults_with_formulas()) {
    INFO(fault);
    CHECK(find_fault(fault) != nullptr);
  }
}

TEST_CASE("every text of the catalogue has a formula, is fitted or observed",
          "[hypotheses]") {
  const std::vector<std::string> formulas = faults_with_formulas();
  std::set<std::string> ids(formulas.begin(), formulas.end());
  // Fitted numbers, and what two equal calls show.
  ids.insert({"scale-constant", "scale-other", "scale-mask-too",
              "softmax-large-epsilon", "nondeterministic", "stateful",
              "library-attention", "forbidden-call"});
  for (const Fault& fault : catalogue()) {
    INFO(fault.id);
    CHECK(ids.count(fault.id) == 1);
  }
}

TEST_CASE("no single fault is the right formula", "[hypotheses]") {
  for (const HypothesisSet* set : all_sets()) {
    for (const Hypothesis& hypothesis : set->singles) {
      INFO(hypothesis.faults.front());
      CHECK_FALSE(hypothesis.formula == Formula{});
    }
  }
}

TEST_CASE("two faults are of different stages and change both",
          "[hypotheses]") {
  for (const HypothesisSet* set : all_sets()) {
    std::set<Formula> singles;
    for (const Hypothesis& single : set->singles) {
      singles.insert(single.formula);
    }
    for (const Hypothesis& hypothesis : set->doubles) {
      INFO(hypothesis.faults.front() << " " << hypothesis.faults.back());
      REQUIRE(hypothesis.faults.size() == 2);
      CHECK(hypothesis.faults.front() != hypothesis.faults.back());
      CHECK(singles.count(hypothesis.formula) == 0);
    }
  }
}

TEST_CASE("a fault of masks or heads is no hypothesis where there are none",
          "[hypotheses]") {
  const auto has = [](Kind kind, MaskMode mode, const std::string& fault) {
    return std::ranges::any_of(
        hypotheses_of(kind, mode).singles,
        [&](const Hypothesis& one) { return one.faults.front() == fault; });
  };
  CHECK(has(Kind::attention, MaskMode::masked, "mask-ignored"));
  CHECK_FALSE(has(Kind::attention, MaskMode::none, "mask-ignored"));
  CHECK_FALSE(has(Kind::attention, MaskMode::causal, "mask-ignored"));
  CHECK(has(Kind::attention, MaskMode::causal, "causal-missing"));
  CHECK(has(Kind::attention, MaskMode::none, "causal-unasked"));
  CHECK_FALSE(has(Kind::attention, MaskMode::none, "heads-split-by-reshape"));
  CHECK(has(Kind::grouped_query_attention, MaskMode::none, "gqa-tiled"));
}

TEST_CASE("what is right is said stage by stage", "[hypotheses]") {
  CHECK(right_stages({.scale = scales::by_dk}, MaskMode::none) ==
        std::vector<std::string>{"product of queries and keys",
                                 "softmax over the keys", "weighted sum"});
  CHECK(right_stages({.softmax = Softmax::over_queries}, MaskMode::causal) ==
        std::vector<std::string>{"product of queries and keys", "scale", "mask",
                                 "weighted sum"});
}

}  // namespace grader
