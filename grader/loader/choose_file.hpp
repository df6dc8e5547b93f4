// SPDX-License-Identifier: MIT
// Which of the Python files of a folder or an archive is the submission?
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grader/loader/inspection.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// Told by what the files define: the one with a function of a task, or with
// --entry's name; of two such files the one whose name is not an adorned one
// (NameRank), then the one that imports the other. A single
// file is taken whatever it defines, if the submission has nothing else that
// could be graded. Tests (is_test_file) are looked at only where no other file
// is it, and beside others only if they are tests by nothing but their names.
// Otherwise the failure lists what was found and the option that settles it.
// `files` are not empty.
std::variant<std::string, LoadFailure> choose_file(
    const std::vector<FileInspection>& files, bool is_only_python,
    const std::vector<Task>& tasks, const MatchOptions& options);

}  // namespace grader
