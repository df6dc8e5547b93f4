// SPDX-License-Identifier: MIT
#include "grader/diagnosis/hypotheses.hpp"

#include <set>

#include "grader/diagnosis/catalogue.hpp"
#include "tests/catch.hpp"

namespace grader {

TEST_CASE("every hypothesis has its text in the catalogue", "[hypotheses]") {
  for (const Hypothesis& hypothesis : single_faults()) {
    INFO(hypothesis.faults.front());
    CHECK(find_fault(hypothesis.faults.front()) != nullptr);
  }
}

TEST_CASE("every text of the catalogue has a formula or is fitted",
          "[hypotheses]") {
  std::set<std::string> ids = {"scale-constant", "scale-other",
                               "scale-mask-too", "softmax-large-epsilon"};
  for (const Hypothesis& hypothesis : single_faults()) {
    ids.insert(hypothesis.faults.front());
  }
  for (const Fault& fault : catalogue()) {
    INFO(fault.id);
    CHECK(ids.count(fault.id) == 1);
  }
}

TEST_CASE("no single fault is the right formula", "[hypotheses]") {
  for (const Hypothesis& hypothesis : single_faults()) {
    INFO(hypothesis.faults.front());
    CHECK_FALSE(hypothesis.formula == Formula{});
  }
}

TEST_CASE("two faults are of different stages and change both",
          "[hypotheses]") {
  for (const Hypothesis& hypothesis : double_faults()) {
    INFO(hypothesis.faults.front() << " " << hypothesis.faults.back());
    REQUIRE(hypothesis.faults.size() == 2);
    CHECK(hypothesis.faults.front() != hypothesis.faults.back());
    for (const Hypothesis& single : single_faults()) {
      CHECK_FALSE(hypothesis.formula == single.formula);
    }
  }
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
