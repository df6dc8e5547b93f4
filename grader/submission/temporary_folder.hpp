// SPDX-License-Identifier: MIT
// A private folder (mode 0700) that is removed with its owner, or by a later
// run where the owner was killed.
#pragma once

#include <filesystem>
#include <string>

#include "grader/system/file_descriptor.hpp"

namespace grader {

class TemporaryFolder {
 public:
  // Makes PARENT/PREFIX-XXXXXX. Throws Error (environment).
  TemporaryFolder(const std::filesystem::path& parent,
                  const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;  // flock(2), which ends with the process
};

// Removes folders of this user that processes left behind which are no more:
// PARENT/PREFIX-XXXXXX, not locked, and not touched for a minute, since one
// that is just being made is not locked yet.
void remove_abandoned(const std::filesystem::path& parent,
                      const std::string& prefix);

// Files and folders that are not to survive the program. The second removes all
// that are remembered: for a program about to end without running destructors.
void remember_temporary(const std::filesystem::path& path);
void forget_temporary(const std::filesystem::path& path);
void remove_temporaries();

// $TMPDIR, or /tmp.
std::filesystem::path temporary_root();

}  // namespace grader
