// SPDX-License-Identifier: MIT
// A control group of the kernel that bounds the memory of all processes of a
// cell together, files in memory included: version 2 or 1, whichever there is
// and lets itself be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

#include "grader/system/file_descriptor.hpp"

namespace grader {

// Where a group with a limit on memory may be made, best first. `own`: the text
// of /proc/self/cgroup, "4:memory:/user" of version 1, "0::/user" of version 2,
// where it is the nearest group above that hands the limit on.
std::vector<std::filesystem::path> memory_parents(
    const std::string& own, const std::filesystem::path& mount);

class MemoryGroup {
 public:
  // Throws Error where there can be none.
  explicit MemoryGroup(std::uint64_t bytes);
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;

  void add(pid_t process);
  // For group_kills(). Of use as long as the group is there.
  FileDescriptor open() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace grader
