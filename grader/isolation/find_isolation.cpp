// SPDX-License-Identifier: MIT
#include "grader/isolation/find_isolation.hpp"

#include <algorithm>
#include <string_view>

#include "grader/system/error.hpp"

namespace grader {
namespace {

struct Offer {
  IsolationLevel level;
  const char* detail;
};

// The best first.
constexpr Offer offers[] = {
    {IsolationLevel::level3,
     "own root, processes and network; memory bounded as a whole"},
    {IsolationLevel::level2,
     "own root, processes and network; memory bounded per process only"},
    {IsolationLevel::level1,
     "no namespaces here: rules for files, signals and system calls"},
};

std::string open_attacks(const Probing& probing) {
  std::string names;
  for (const ProbeResult& result : probing.results) {
    if (!result.is_held) {
      names += (names.empty() ? "" : ", ") + result.attack;
    }
  }
  return names;
}

std::string failures_of(const Probing& probing) {
  return probing.obstacle.empty()
             ? "a cell does not hold against " + open_attacks(probing)
             : probing.obstacle;
}

// Without namespaces there is no disk of its own. Where files are open there is
// no isolation to speak of: the fixtures and the other submissions among them.
constexpr std::string_view tolerated_at_L1[] = {"disk"};

bool is_enough(const Probing& probing, IsolationLevel level) {
  return probing.obstacle.empty() && !probing.results.empty() &&
         std::ranges::all_of(probing.results, [&](const ProbeResult& result) {
           return result.is_held ||
                  (level == IsolationLevel::level1 &&
                   std::ranges::count(tolerated_at_L1, result.attack) > 0);
         });
}

std::string detail_of(const Offer& offer, const Probing& probing) {
  const std::string open = open_attacks(probing);
  return std::string(offer.detail) + (open.empty() ? "" : "; open: " + open);
}

}  // namespace

IsolationFinding find_isolation(const std::string& wanted,
                                const std::string& required,
                                const Isolation& tools, const Prober& probe) {
  const auto level = parse_isolation_level(wanted);
  const IsolationLevel least = std::max(
      level.value_or(IsolationLevel::level0),
      parse_isolation_level(required).value_or(IsolationLevel::level0));
  IsolationFinding finding;
  finding.isolation = tools;
  finding.isolation.level = IsolationLevel::level0;
  std::string obstacle;
  for (const Offer& offer : offers) {
    if (level == IsolationLevel::level0 || (level && *level < offer.level)) {
      continue;
    }
    Isolation isolation = tools;
    isolation.level = offer.level;
    const Probing probing = probe(isolation);
    if (is_enough(probing, offer.level)) {
      finding = {isolation, detail_of(offer, probing), probing.results, {}};
      break;
    }
    const std::string failures = failures_of(probing);
    if (obstacle.find(failures) == std::string::npos) {
      obstacle += (obstacle.empty() ? "" : "; ") + failures;
    }
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
