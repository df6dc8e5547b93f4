// SPDX-License-Identifier: MIT
#include "grader/diagnosis/conduct_diagnosis.hpp"

#include <algorithm>
#include <string>

#include "tests/catch.hpp"

namespace grader {
namespace {

CaseResult case_of(bool is_public, bool passed) {
  CaseResult result;
  result.rank = 2;
  result.is_public = is_public;
  result.passed = result.answer_passed = passed;
  return result;
}

// Three public cases and four fresh ones, of which so many are wrong.
Diagnosis unclassified(int wrong_fresh) {
  Diagnosis diagnosis;
  diagnosis.verdict = Verdict::unclassified;
  diagnosis.summary = "no fault reproduces it";
  diagnosis.cases.assign(3, case_of(true, true));
  for (int i = 0; i < 4; ++i) {
    diagnosis.cases.push_back(case_of(false, i >= wrong_fresh));
  }
  return diagnosis;
}

bool is_of_public_cases(const Diagnosis& diagnosis) {
  return std::ranges::count(with_public_cases_only(diagnosis).notes,
                            "public-cases-only") == 1;
}

}  // namespace

TEST_CASE("right on public cases and wrong on fresh ones is said",
          "[conduct_diagnosis]") {
  const Diagnosis found = with_public_cases_only(unclassified(4));
  CHECK(found.notes == std::vector<std::string>{"public-cases-only"});
  CHECK(found.summary ==
        "right on all 3 public cases, wrong on 4 of 4 fresh ones of the same "
        "sizes");
  CHECK(found.verdict == Verdict::unclassified);
}

TEST_CASE("where public cases are wrong too nothing was learnt",
          "[conduct_diagnosis]") {
  Diagnosis diagnosis = unclassified(4);
  diagnosis.cases.front() = case_of(true, false);
  CHECK_FALSE(is_of_public_cases(diagnosis));
  diagnosis.cases.front().excluded = "this rank is declined";
  CHECK_FALSE(is_of_public_cases(diagnosis));  // two are too few
  diagnosis.cases.push_back(case_of(true, true));
  CHECK(is_of_public_cases(diagnosis));
}

TEST_CASE("a few wrong fresh cases are no sign of learning",
          "[conduct_diagnosis]") {
  CHECK_FALSE(is_of_public_cases(unclassified(2)));
  CHECK(is_of_public_cases(unclassified(3)));
}

TEST_CASE("what has a name needs no other", "[conduct_diagnosis]") {
  for (const Verdict verdict : {Verdict::correct, Verdict::faulty,
                                Verdict::timed_out, Verdict::not_graded}) {
    Diagnosis diagnosis = unclassified(4);
    diagnosis.verdict = verdict;
    CHECK_FALSE(is_of_public_cases(diagnosis));
  }
}

TEST_CASE("a further fault stands in each explanation and each rank",
          "[conduct_diagnosis]") {
  Diagnosis diagnosis;
  diagnosis.verdict = Verdict::faulty;
  diagnosis.faults = {"scale-by-dk"};
  diagnosis.ties = {{"scale-twice"}};
  diagnosis.ranks = {2, 3};
  diagnosis.faults_by_rank = {{2, {"scale-by-dk"}}, {3, {}}};
  diagnosis.certainty = "tied";
  diagnosis.summary = "divides by d_k";
  diagnosis = with_further_fault(diagnosis, "forbidden-call", "it calls x");
  CHECK(diagnosis.faults ==
        std::vector<std::string>{"scale-by-dk", "forbidden-call"});
  CHECK(diagnosis.ties.front() ==
        std::vector<std::string>{"scale-twice", "forbidden-call"});
  CHECK(diagnosis.faults_by_rank.at(3) ==
        std::vector<std::string>{"forbidden-call"});
  CHECK(diagnosis.certainty == "tied");
  CHECK(diagnosis.summary == "divides by d_k; it calls x");
}

TEST_CASE("a right answer with a further fault is faulty",
          "[conduct_diagnosis]") {
  Diagnosis diagnosis;
  diagnosis.verdict = Verdict::correct;
  diagnosis.ranks = {2};
  diagnosis = with_further_fault(diagnosis, "library-attention", "it calls x");
  CHECK(diagnosis.verdict == Verdict::faulty);
  CHECK(diagnosis.score == 0.5);
  CHECK(diagnosis.summary == "it calls x; its numbers are right");
}

}  // namespace grader
