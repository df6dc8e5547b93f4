// SPDX-License-Identifier: MIT
#include "grader/isolation/level.hpp"

namespace grader {

std::string to_string(IsolationLevel level) {
  return "L" + std::to_string(static_cast<int>(level));
}

std::optional<IsolationLevel> parse_isolation_level(std::string_view text) {
  if (text == "none") {
    return IsolationLevel::level0;
  }
  for (const IsolationLevel level :
       {IsolationLevel::level1, IsolationLevel::level2,
        IsolationLevel::level3}) {
    if (text == to_string(level)) {
      return level;
    }
  }
  return std::nullopt;
}

}  // namespace grader
