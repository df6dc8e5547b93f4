// SPDX-License-Identifier: MIT
// Which isolation this machine grants, found by trying: a kernel that knows
// namespaces may still refuse them, in a container above all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/isolation/confinement.hpp"
#include "grader/isolation/probe.hpp"

namespace grader {

struct IsolationFinding {
  Isolation isolation{};
  std::string detail = "none: resource limits only";  // for people
  std::vector<ProbeResult> probed{};  // what was tried at this level
  std::string obstacle{};             // to what is better; or empty
};

using Prober = std::function<Probing(const Isolation&)>;

// `wanted` (--isolation) is "auto", "none" or a level; auto is the best there
// is. `required` (--require-isolation) is a level or empty. `tools` names the
// programs; its level counts for nothing. Throws Error (environment) where this
// machine does not grant what was asked for, with its reason.
IsolationFinding find_isolation(const std::string& wanted,
                                const std::string& required,
                                const Isolation& tools,
                                const Prober& probe = probe_cells);

}  // namespace grader
