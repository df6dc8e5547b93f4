// SPDX-License-Identifier: MIT
// Where there are no namespaces: rules of the kernel for files and signals that
// a process lays on itself (landlock(7)).
#pragma once

#include <filesystem>
#include <vector>

namespace grader {

struct FileRules {
  std::vector<std::filesystem::path> readable;  // with all that is below
  std::vector<std::filesystem::path> writable;
};

// For the calling process and all that it becomes: no other files, no signals
// to and no sockets of others, as far as this kernel can. Does nothing where it
// knows no such rules. Needs no_new_privs.
void restrict_files(const FileRules& rules);

}  // namespace grader
