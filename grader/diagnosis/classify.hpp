// SPDX-License-Identifier: MIT
// Right, faulty or unexplained, from numbers alone: the hypotheses over all
// ranks together, then rank by rank, then the scale as a free law; first at the
// interface's precision, then at lower ones that the evidence supports.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/ranked_cases.hpp"
#include "grader/diagnosis/search.hpp"

namespace grader {

struct Classification {
  bool is_correct = false;
  FaultSet faults;
  std::vector<FaultSet> ties;
  std::map<int, FaultSet> faults_by_rank;
  std::vector<int> declined;  // supported ranks that turned out not to be
  std::string certainty;      // "proven", "tied", "fitted"
  std::vector<std::string> notes;
  std::map<std::string, std::string> params;
  Explanation explanation;  // of all ranks, or of the first faulty one
  DType precision = DType::float64;
};

std::optional<Classification> classify(const RankedCases& cases,
                                       DType interface_precision);

}  // namespace grader
