// SPDX-License-Identifier: MIT
#include "grader/isolation/find_isolation.hpp"

#include <algorithm>

#include "grader/system/error.hpp"

namespace grader {
namespace {

struct Offer {
  IsolationLevel level;
  const char* detail;
};

// The best first.
constexpr Offer offers[] = {
    {IsolationLevel::L3,
     "own root, processes and network; memory bounded as a whole"},
    {IsolationLevel::L2,
     "own root, processes and network; memory bounded per process only"},
};

std::string failures_of(const Probing& probing) {
  if (!probing.obstacle.empty()) {
    return probing.obstacle;
  }
  std::string names;
  for (const ProbeResult& result : probing.results) {
    if (!result.is_held) {
      names += (names.empty() ? "" : ", ") + result.attack;
    }
  }
  return "a cell does not hold against " + names;
}

}  // namespace

IsolationFinding find_isolation(const std::string& wanted,
                                const std::string& required,
                                const Isolation& tools) {
  const auto level = parse_isolation_level(wanted);
  const IsolationLevel least =
      std::max(level.value_or(IsolationLevel::L0),
               parse_isolation_level(required).value_or(IsolationLevel::L0));
  IsolationFinding finding;
  std::string obstacle;
  for (const Offer& offer : offers) {
    if (level == IsolationLevel::L0 || (level && *level < offer.level)) {
      continue;
    }
    Isolation isolation = tools;
    isolation.level = offer.level;
    const Probing probing = probe_cells(isolation);
    if (probing.holds_all()) {
      finding = {isolation, offer.detail, probing.results, {}};
      break;
    }
    obstacle += (obstacle.empty() ? "" : "; ") + failures_of(probing);
  }
  finding.obstacle = obstacle;
  if (finding.isolation.level < least) {
    throw Error(Blame::environment,
                "cannot isolate at " + to_string(least) + ": " +
                    (obstacle.empty() ? "--isolation forbids it" : obstacle));
  }
  return finding;
}

}  // namespace grader
