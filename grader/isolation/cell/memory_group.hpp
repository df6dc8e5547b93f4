// SPDX-License-Identifier: MIT
// A control group of the kernel that bounds the memory of all processes of a
// cell together, files in memory included: version 2 or 1, whichever there is
// and lets itself be written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <sys/types.h>

#include "grader/system/file_descriptor.hpp"

namespace grader {

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
