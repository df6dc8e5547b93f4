// SPDX-License-Identifier: MIT
// Tries a cell: what a program in it attempts, and what comes of it.
#pragma once

#include <string>
#include <vector>

#include "grader/isolation/confinement.hpp"

namespace grader {

struct ProbeResult {
  std::string attack;  // "reading-files", "network", ...
  bool is_held = false;
};

struct Probing {
  std::vector<ProbeResult> results;
  std::string obstacle;  // why there is no cell; empty: there is one

  bool holds_all() const;
};

// Of the cells of that isolation. Throws Error (environment) where not even the
// trial can be made.
Probing probe_cells(const Isolation& isolation);

}  // namespace grader
