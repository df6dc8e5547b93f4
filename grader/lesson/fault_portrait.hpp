// SPDX-License-Identifier: MIT
// What a fault does to a small input: the reference with that one mistake,
// beside the reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/fixture/case.hpp"

namespace grader {

struct FaultPortrait {
  Case input;               // a few whole numbers
  std::string what;         // "weights" or "output": where it shows
  std::string where;        // "", or "[0, 1]": which matrix of a batch
  reference::Tensor right;  // (n, m) or (n, d_v): one matrix
  reference::Tensor faulty;
  std::string shape_tests;          // what tests of shapes and sums make of it
  std::vector<std::string> python;  // lines that show it
};

// Nothing for what is no formula: faults of conduct, notes.
std::optional<FaultPortrait> portray(const std::string& id);

}  // namespace grader
