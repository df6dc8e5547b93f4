// SPDX-License-Identifier: MIT
// How well a submission is kept from everything else.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace grader {

enum class IsolationLevel {
  L0,  // process group, limits on resources
  L1,  // and rules of the kernel for files, signals, sockets, processes
  L2,  // and namespaces: a root, processes, a network of its own
  L3,  // and a limit on the memory of all its processes together
};

std::string to_string(IsolationLevel level);
// "L0" .. "L3"; "none" is L0.
std::optional<IsolationLevel> parse_isolation_level(std::string_view text);

}  // namespace grader
