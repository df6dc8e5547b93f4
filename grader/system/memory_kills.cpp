// SPDX-License-Identifier: MIT
#include "grader/system/memory_kills.hpp"

#include <fstream>
#include <string>

namespace grader {

std::optional<std::uint64_t> memory_kills(
    const std::filesystem::path& counters) {
  std::ifstream words(counters);
  std::string name;
  std::uint64_t number = 0;
  while (words >> name >> number) {
    if (name == "oom_kill") {
      return number;
    }
  }
  return std::nullopt;
}

}  // namespace grader
