// SPDX-License-Identifier: MIT
#include "grader/diagnosis/score.hpp"

#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Diagnosis faulty(const std::vector<std::string>& faults) {
  Diagnosis diagnosis;
  diagnosis.verdict = Verdict::faulty;
  diagnosis.faults = faults;
  diagnosis.certainty = "proven";
  diagnosis.evidence.hypothesis_error = 1e-16;
  diagnosis.faults_by_rank = {{2, faults}, {3, faults}};
  return diagnosis;
}

double score_with(const Rubric& rubric, Diagnosis diagnosis) {
  set_score(rubric, diagnosis);
  return diagnosis.score;
}

Task task_with(const std::string& word, double points) {
  Task task;
  task.rubric = {{word, points, "cannot read task t.json: line 7: "}};
  return task;
}

std::string complaint_about(const std::string& word) {
  try {
    rubric_of(task_with(word, 0.5));
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("faults take points off by their severity", "[score]") {
  CHECK(score_with({}, faulty({"scale-by-dk"})) == 0.5);
  CHECK(score_with({}, faulty({"mask-ignored"})) == 0.75);
  CHECK(score_with({}, faulty({"softmax-no-max-shift"})) == 0.9);
  CHECK(score_with({}, faulty({"scale-by-dk", "softmax-over-queries",
                               "mask-ignored"})) == 0.0);
}

TEST_CASE("a structural fault that spares a rank counts as a conditional one",
          "[score]") {
  Diagnosis diagnosis = faulty({"keys-transposed-all-axes"});
  diagnosis.faults_by_rank[2].clear();
  CHECK(score_with({}, diagnosis) == 0.75);
}

TEST_CASE("a rubric changes points by fault before severity", "[score]") {
  const Rubric by_fault = rubric_of(task_with("scale-by-dk", 0.2));
  CHECK(score_with(by_fault, faulty({"scale-by-dk"})) == 0.8);
  CHECK(score_with(by_fault, faulty({"scale-missing"})) == 0.5);
  Task task = task_with("structural", 1.0);
  task.rubric.push_back({"scale-by-dk", 0.0, ""});
  const Rubric both = rubric_of(task);
  CHECK(score_with(both, faulty({"scale-missing"})) == 0.0);
  CHECK(score_with(both, faulty({"scale-by-dk"})) == 1.0);
}

TEST_CASE("a word that a rubric cannot have is named with its place",
          "[score]") {
  CHECK(complaint_about("scale-by-dq") ==
        "cannot read task t.json: line 7: there is no such fault or severity; "
        "did you mean \"scale-by-dk\"?");
  CHECK(complaint_about("note").starts_with(
      "cannot read task t.json: line 7: there is no such fault"));
  CHECK(complaint_about("robustness") == "");
}

TEST_CASE("one proven fault mended gives full marks", "[score]") {
  Diagnosis one = faulty({"scale-by-dk"});
  set_score({}, one);
  CHECK(one.score_if_mended == 1.0);
}

TEST_CASE("nothing is promised where it is not proven", "[score]") {
  Diagnosis two = faulty({"scale-by-dk", "softmax-over-queries"});
  Diagnosis tied = faulty({"scale-by-dk"});
  tied.certainty = "tied";
  Diagnosis conduct = faulty({"stateful"});
  conduct.evidence.hypothesis_error.reset();
  Diagnosis right = faulty({});
  right.verdict = Verdict::correct;
  for (Diagnosis diagnosis : {two, tied, conduct, right}) {
    set_score({}, diagnosis);
    CHECK_FALSE(diagnosis.score_if_mended);
  }
}

TEST_CASE("a note that a task makes a fault is a structural one", "[score]") {
  CHECK(score_with({}, faulty({"library-attention"})) == 0.5);
  CHECK(score_with(rubric_of(task_with("library-attention", 1.0)),
                   faulty({"library-attention"})) == 0.0);
}

TEST_CASE("what is neither correct nor faulty scores nothing", "[score]") {
  Diagnosis crashed;
  crashed.verdict = Verdict::crashed;
  CHECK(score_with({}, crashed) == 0.0);
}

}  // namespace grader
