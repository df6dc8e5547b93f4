// SPDX-License-Identifier: MIT
// Right, faulty or unexplained, from numbers alone: the hypotheses over all
// ranks together, then rank by rank, then the scale as a free law; first at the
// interface's precision, then at lower ones that the evidence supports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/search.hpp"

namespace grader {

// The cases of the ranks a submission supports, and the ranks themselves. A
// rank on which every call fails is declined.
struct RankedCases {
  std::map<int, std::vector<Evidenced>> supported;
  std::vector<int> declined;

  std::vector<Evidenced> all() const;
};

RankedCases split_ranks(const Observations& observations,
                        const std::vector<PreparedCase>& prepared);

struct Classification {
  bool is_correct = false;
  FaultSet faults;
  std::vector<FaultSet> ties;
  std::map<int, FaultSet> faults_by_rank;
  std::string certainty;  // "proven", "tied", "fitted"
  std::vector<std::string> notes;
  std::map<std::string, std::string> params;
  Explanation explanation;  // of all ranks, or of the first faulty one
  DType precision = DType::float64;
};

std::optional<Classification> classify(const RankedCases& cases,
                                       DType interface_precision);

}  // namespace grader
