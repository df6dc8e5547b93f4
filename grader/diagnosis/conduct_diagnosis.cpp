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

}  // namespace grader
