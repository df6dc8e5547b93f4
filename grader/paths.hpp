// SPDX-License-Identifier: MIT
// Where the files are that come with the program: in the folder that was named,
// else in $ATTNGRADE_DATA, else beside the program as it was installed, else,
// for a program in its build tree, in the source folder.
#pragma once

#include <filesystem>

namespace grader {

struct DataPaths {
  std::filesystem::path fixtures;        // has tasks/ and cases/
  std::filesystem::path include_folder;  // has attngrade.h; empty: not found
  std::filesystem::path native_host;     // a program; empty: not found
  std::filesystem::path cell;            // attngrade-cell, likewise
  std::filesystem::path fork_library;    // attngrade-fork.so, likewise
};

// `fixtures` is --fixtures, or empty. Throws Error: usage when the named folder
// has no tasks, environment when there are no fixtures anywhere.
DataPaths find_data(const std::filesystem::path& fixtures);

}  // namespace grader
