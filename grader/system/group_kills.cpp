// SPDX-License-Identifier: MIT
#include "grader/system/group_kills.hpp"

#include <array>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>

#include "grader/system/file_descriptor.hpp"

namespace grader {
namespace {

std::optional<std::string> text_in(int folder, const char* name) {
  const FileDescriptor file(openat(folder, name, O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> bytes{};
  const ssize_t count =
      file.is_open() ? read(file.get(), bytes.data(), bytes.size()) : -1;
  if (count < 0) {
    return std::nullopt;
  }
  return std::string(bytes.data(), static_cast<std::size_t>(count));
}

int number_of(const std::string& text, const std::string& name) {
  std::istringstream words(text);
  std::string word;
  int number = 0;
  while (words >> word >> number) {
    if (word == name) {
      return number;
    }
  }
  return 0;
}

std::uint64_t number_in(int folder, const char* name) {
  std::uint64_t number = 0;
  std::istringstream(text_in(folder, name).value_or("")) >> number;
  return number;
}

}  // namespace

// Kills of the machine for its own want are counted here, too: then the limit
// of the group was never met.
int group_kills(int folder) {
  if (const auto events = text_in(folder, "memory.events")) {
    return number_of(*events, "oom") > 0 ? number_of(*events, "oom_kill") : 0;
  }
  // Version 1 has a count of failures, which misses those of the swap's limit.
  constexpr std::uint64_t largest_charge = std::uint64_t{4} << 20U;  // bytes
  const bool is_met =
      number_in(folder, "memory.max_usage_in_bytes") + largest_charge >
      number_in(folder, "memory.limit_in_bytes");
  return is_met ? number_of(text_in(folder, "memory.oom_control").value_or(""),
                            "oom_kill")
                : 0;
}

}  // namespace grader
