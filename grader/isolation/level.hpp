// SPDX-License-Identifier: MIT
// How well a submission is kept from everything else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grader {

enum class IsolationLevel {
  level0,  // process group, limits on resources
  level1,  // and rules of the kernel for files, signals, sockets, processes
  level2,  // and namespaces: a root, processes, a network of its own
  level3,  // and a limit on the memory of all its processes together
};

std::string to_string(IsolationLevel level);
// "L1" to "L3"; L0 is "none", which is what has to be typed for it.
std::optional<IsolationLevel> parse_isolation_level(std::string_view text);

}  // namespace grader
