// SPDX-License-Identifier: MIT
// From a submission that was read to a program that can be started: its bytes
// are laid out in a folder of their own, compiled where that is needed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grader/loader/compile.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/program.hpp"
#include "grader/submission/discover.hpp"

namespace grader {

struct LoaderSettings {
  std::filesystem::path python;  // --python, or empty
  std::vector<Task> tasks;       // for finding the file in a folder
  MatchOptions match;
  // Of the package attngrade_host, started by its start.py.
  std::vector<SourceFile> python_host;
  std::filesystem::path native_host;     // absolute
  std::filesystem::path include_folder;  // of attngrade.h
  std::filesystem::path scratch;         // of this run, absolute
};

// What the loader needs of this machine, found out once a run.
struct LoaderContext {
  std::shared_ptr<Interpreters> interpreters;
  Compilers compilers;
  std::filesystem::path python_host;  // the folder attngrade_host
  std::vector<Task> tasks;
  MatchOptions match;
  std::filesystem::path native_host;
  std::filesystem::path include_folder;
  std::filesystem::path scratch;
};

// Writes the host into a folder of its own in the scratch folder, read-only.
// Throws Error.
LoaderContext make_loader_context(const LoaderSettings& settings);

using Preparation = std::variant<Program, LoadFailure, CannotGrade>;

// The submission has been read (read_submission) and has no problem. Nothing of
// it has run when this returns. May be called from several threads. Throws
// Error (usage) on a command that names no program.
Preparation prepare(const Submission& submission, const LoaderContext& context);

// A folder or archive without Python (is_native_folder): its C and C++ sources
// compiled together, or the one shared library that it holds.
Preparation prepare_native_folder(const Submission& submission,
                                  const LoaderContext& context);

}  // namespace grader
