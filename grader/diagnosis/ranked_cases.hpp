// SPDX-License-Identifier: MIT
// Which ranks a submission supports: a task lists several and demands one.
#pragma once

#include <map>
#include <vector>

#include "grader/diagnosis/evidence.hpp"

namespace grader {

// The cases of the ranks a submission supports, and the ranks themselves. A
// rank is declined where calls raise and none gives a result of the right
// shape; wrong shapes without any error are an answer.
struct RankedCases {
  std::map<int, std::vector<Evidenced>> supported;
  std::vector<int> declined;

  // The highest rank first: a hypothesis that is wrong is wrong there, and most
  // are dropped at the first case.
  std::vector<Evidenced> all() const;
};

RankedCases split_ranks(const Observations& observations,
                        const std::vector<PreparedCase>& prepared);

}  // namespace grader
