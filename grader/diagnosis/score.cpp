// SPDX-License-Identifier: MIT
#include "grader/diagnosis/score.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// Without notes: those take nothing off.
constexpr std::array severities = {Severity::structural, Severity::conditional,
                                   Severity::robustness};

[[noreturn]] void reject_word(const RubricEntry& entry) {
  std::vector<std::string> known;
  known.reserve(severities.size() + catalogue().size());
  for (const Severity severity : severities) {
    known.push_back(to_string(severity));
  }
  for (const Fault& fault : catalogue()) {
    known.push_back(fault.id);
  }
  const auto suggestion = did_you_mean(entry.word, known);
  throw Error(Blame::usage,
              entry.complaint_start + "there is no such fault or severity" +
                  (suggestion ? "; did you mean \"" + *suggestion + "\"?"
                              : "; attngrade faults lists the faults"));
}

// A fault that does not show in some supported rank is a conditional one.
bool spares_a_rank(const std::string& fault, const Diagnosis& diagnosis) {
  return std::ranges::any_of(diagnosis.faults_by_rank, [&](const auto& entry) {
    return std::ranges::find(entry.second, fault) == entry.second.end();
  });
}

double points_of(const std::string& fault, const Rubric& rubric,
                 const Diagnosis& diagnosis) {
  const auto own = rubric.by_fault.find(fault);
  if (own != rubric.by_fault.end()) {
    return own->second;
  }
  const Fault* entry = find_fault(fault);
  Severity severity = entry == nullptr ? Severity::structural : entry->severity;
  if (severity == Severity::note) {
    severity = Severity::structural;  // the task has made it a fault
  }
  if (severity == Severity::structural && spares_a_rank(fault, diagnosis)) {
    severity = Severity::conditional;
  }
  return rubric.by_severity.at(severity);
}

bool is_right_but_for_one_fault(const Diagnosis& diagnosis) {
  return diagnosis.verdict == Verdict::faulty && diagnosis.faults.size() == 1 &&
         diagnosis.certainty == "proven" &&
         diagnosis.evidence.hypothesis_error.has_value();
}

}  // namespace

Rubric rubric_of(const Task& task) {
  Rubric rubric;
  for (const RubricEntry& entry : task.rubric) {
    const auto severity = std::ranges::find(
        severities, entry.word, [](Severity one) { return to_string(one); });
    if (severity != severities.end()) {
      rubric.by_severity[*severity] = entry.points;
    } else if (find_fault(entry.word) != nullptr) {
      rubric.by_fault[entry.word] = entry.points;
    } else {
      reject_word(entry);
    }
  }
  return rubric;
}

void set_score(const Rubric& rubric, Diagnosis& diagnosis) {
  diagnosis.score = 0.0;
  diagnosis.score_if_mended.reset();
  if (diagnosis.verdict != Verdict::correct &&
      diagnosis.verdict != Verdict::faulty) {
    return;
  }
  double score = 1.0;
  for (const std::string& fault : diagnosis.faults) {
    score -= points_of(fault, rubric, diagnosis);
  }
  diagnosis.score = std::max(0.0, score);
  if (is_right_but_for_one_fault(diagnosis)) {
    diagnosis.score_if_mended = 1.0;
  }
}

}  // namespace grader
