// SPDX-License-Identifier: MIT
#include "grader/diagnosis/catalogue.hpp"

#include <set>

#include "tests/catch.hpp"

using grader::catalogue;
using grader::Fault;
using grader::find_fault;

TEST_CASE("a fault is found by its id", "[catalogue]") {
  const Fault* fault = find_fault("scale-by-dk");
  REQUIRE(fault != nullptr);
  CHECK(fault->sentence == "The scores are divided by d_k, not by sqrt(d_k).");
  CHECK(fault->severity == grader::Severity::structural);
  CHECK(find_fault("scale-mask-too")->severity ==
        grader::Severity::conditional);
  CHECK(find_fault("softmax-no-max-shift")->severity ==
        grader::Severity::robustness);
}

TEST_CASE("an id that no fault has is found nowhere", "[catalogue]") {
  CHECK(find_fault("scale") == nullptr);
  CHECK(find_fault("") == nullptr);
}

TEST_CASE("every fault has a text for every use", "[catalogue]") {
  std::set<std::string> ids;
  for (const Fault& fault : catalogue()) {
    INFO(fault.id);
    CHECK(ids.insert(fault.id).second);
    CHECK_FALSE(fault.title.empty());
    CHECK(fault.sentence.size() <= 76);  // one line of the report
    CHECK(fault.sentence.back() == '.');
    CHECK_FALSE(fault.formula.empty());
    CHECK(fault.explanation.size() > 150);
    CHECK_FALSE(fault.fix.empty());
    CHECK(fault.hints.size() == 3);
    CHECK(fault.questions.size() >= 2);
    for (const grader::Question& question : fault.questions) {
      CHECK(question.question.back() == '?');
      CHECK(question.answer.back() == '.');
    }
  }
}
