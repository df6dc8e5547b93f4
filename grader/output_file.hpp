// SPDX-License-Identifier: MIT
// A file that is there whole or not at all: written beside its place and
// renamed. Made before a long run, so that a bad path fails early.
#pragma once

#include <filesystem>
#include <string_view>

#include "grader/system/file_descriptor.hpp"

namespace grader {

class OutputFile {
 public:
  // Throws Error (usage): "cannot write FILE: cause".
  explicit OutputFile(std::filesystem::path file);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Once. Throws Error (environment) when the disk is full and the like.
  void commit(std::string_view text);

 private:
  std::filesystem::path path_;    // as the user named it
  std::filesystem::path target_;  // with symbolic links resolved
  std::filesystem::path
      temporary_;  // empty: a device or pipe, written directly
  FileDescriptor descriptor_;
};

}  // namespace grader
