// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "grader/isolation/cell/options.hpp"

namespace grader {

// A folder of one cell where it has no file system of its own: below the one
// that all cells of a submission are given, so that none finds what another has
// left. Its program works in it, by its environment too. Removed afterwards.
class WorkFolder {
 public:
  // Throws Error (environment).
  explicit WorkFolder(CellOptions& options);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

 private:
  std::filesystem::path path_;
};

}  // namespace grader
