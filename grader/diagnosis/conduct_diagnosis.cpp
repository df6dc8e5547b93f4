// SPDX-License-Identifier: MIT
#include "grader/diagnosis/conduct_diagnosis.hpp"

#include "grader/diagnosis/score.hpp"
#include "grader/diagnosis/wording.hpp"

namespace grader {

Diagnosis with_conduct_fault(Diagnosis diagnosis, const std::string& fault) {
  Classification classification;
  classification.faults = {fault};
  classification.certainty = "proven";
  for (const int rank : diagnosis.ranks) {
    classification.faults_by_rank[rank] = {fault};
  }
  diagnosis.verdict = Verdict::faulty;
  diagnosis.faults = classification.faults;
  diagnosis.ties.clear();
  diagnosis.faults_by_rank = classification.faults_by_rank;
  diagnosis.certainty = classification.certainty;
  diagnosis.summary = describe_classification(classification);
  diagnosis.cause.reset();
  diagnosis.evidence.stage.clear();
  set_score({}, diagnosis);
  return diagnosis;
}

Diagnosis with_further_fault(Diagnosis diagnosis, const std::string& fault,
                             const std::string& sentence) {
  if (diagnosis.verdict == Verdict::correct) {
    diagnosis.summary = sentence + "; its numbers are right";
    diagnosis.certainty = "proven";
  } else {
    if (diagnosis.summary.ends_with('.')) {
      diagnosis.summary.pop_back();
    }
    diagnosis.summary += "; " + sentence;
  }
  diagnosis.verdict = Verdict::faulty;
  diagnosis.faults.push_back(fault);
  for (std::vector<std::string>& tie : diagnosis.ties) {
    tie.push_back(fault);
  }
  for (const int rank : diagnosis.ranks) {
    diagnosis.faults_by_rank[rank].push_back(fault);
  }
  set_score({}, diagnosis);
  return diagnosis;
}

Diagnosis with_public_cases_only(Diagnosis diagnosis) {
  if (diagnosis.cause && !diagnosis.cause->option.empty()) {
    return diagnosis;  // the fresh ones come last, when a limit is passed
  }
  constexpr std::ptrdiff_t telling = 3;
  std::ptrdiff_t right_public = 0;
  std::ptrdiff_t fresh = 0;
  std::ptrdiff_t wrong_fresh = 0;
  for (const CaseResult& result : diagnosis.cases) {
    if (result.excluded) {
      continue;
    }
    if (result.is_public && !result.answer_passed) {
      return diagnosis;
    }
    (result.is_public ? right_public : fresh) += 1;
    wrong_fresh += !result.is_public && !result.answer_passed ? 1 : 0;
  }
  const bool has_no_name = diagnosis.verdict == Verdict::unclassified ||
                           diagnosis.verdict == Verdict::bad_output ||
                           diagnosis.verdict == Verdict::crashed;
  if (!has_no_name || right_public < telling || 2 * wrong_fresh <= fresh) {
    return diagnosis;
  }
  diagnosis.notes.emplace_back("public-cases-only");
  diagnosis.summary = "right on all " + std::to_string(right_public) +
                      " public cases, wrong on " + std::to_string(wrong_fresh) +
                      " of " + std::to_string(fresh) +
                      " fresh ones of the same sizes";
  return diagnosis;
}

}  // namespace grader
