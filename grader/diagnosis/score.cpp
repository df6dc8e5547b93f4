// SPDX-License-Identifier: MIT
#include "grader/diagnosis/score.hpp"

#include <algorithm>

#include "grader/diagnosis/catalogue.hpp"

namespace grader {
namespace {

double penalty(const std::string& fault, bool is_conditional) {
  const Fault* entry = find_fault(fault);
  const Severity severity =
      entry == nullptr ? Severity::structural : entry->severity;
  switch (severity) {
    case Severity::structural:
      return is_conditional ? 0.25 : 0.5;
    case Severity::conditional:
      return 0.25;
    case Severity::robustness:
      return 0.1;
    case Severity::note:
      break;
  }
  return 0.0;
}

// A fault that does not show in some supported rank is a conditional one.
bool spares_a_rank(const std::string& fault,
                   const std::map<int, FaultSet>& faults_by_rank) {
  return std::ranges::any_of(faults_by_rank, [&](const auto& entry) {
    return std::ranges::find(entry.second, fault) == entry.second.end();
  });
}

}  // namespace

double score_of(const Classification& classification) {
  double score = 1.0;
  for (const std::string& fault : classification.faults) {
    score -=
        penalty(fault, spares_a_rank(fault, classification.faults_by_rank));
  }
  return std::max(0.0, score);
}

}  // namespace grader
