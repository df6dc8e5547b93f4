// SPDX-License-Identifier: MIT
#include "grader/diagnosis/ranked_cases.hpp"

#include <algorithm>

#include "grader/diagnosis/slope.hpp"

namespace grader {
namespace {

// What separates more comes first, then what is smaller.
bool tells_more(const Evidenced& a, const Evidenced& b) {
  const Case& first = a.test_case();
  const Case& second = b.test_case();
  if (first.separates.size() != second.separates.size()) {
    return first.separates.size() > second.separates.size();
  }
  return first.expected.weights.data.size() <
         second.expected.weights.data.size();
}

}  // namespace

std::vector<Evidenced> RankedCases::all() const {
  std::vector<Evidenced> result;
  for (auto rank = supported.rbegin(); rank != supported.rend(); ++rank) {
    result.insert(result.end(), rank->second.begin(), rank->second.end());
  }
  return result;
}

RankedCases split_ranks(const Observations& observations,
                        const std::vector<PreparedCase>& prepared) {
  std::map<int, std::vector<Evidenced>> ranks;
  for (const CaseObservation& observation : observations.cases) {
    const auto found = std::ranges::find(prepared, observation.test_case,
                                         &PreparedCase::test_case);
    ranks[observation.test_case->rank].push_back(
        gather_evidence(*found, observation));
  }
  RankedCases result;
  for (auto& entry : ranks) {
    const int rank = entry.first;
    std::vector<Evidenced>& cases = entry.second;
    std::ranges::stable_sort(cases, tells_more);
    const auto any = [&](auto is_so) {
      return std::ranges::any_of(
          cases, [&](const Evidenced& one) { return is_so(*one.observation); });
    };
    const auto raises = [](const CaseObservation& observation) {
      return std::holds_alternative<Raised>(observation.outcome);
    };
    if (any(is_silent) || !any(raises)) {
      result.supported[rank] = std::move(cases);
    } else {
      result.declined.push_back(rank);
    }
  }
  return result;
}

}  // namespace grader
