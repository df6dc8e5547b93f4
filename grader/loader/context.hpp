// SPDX-License-Identifier: MIT
// What loading needs to know of this run and of this machine.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "grader/isolation/confinement.hpp"
#include "grader/loader/compile.hpp"
#include "grader/loader/compiler_trial.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/limits.hpp"
#include "grader/loader/module_trial.hpp"
#include "grader/loader/program.hpp"
#include "grader/submission/submission.hpp"

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
  // What a submission must not see: the fixtures, the other submissions.
  std::vector<std::filesystem::path> closed{};
  Isolation isolation{};
  bool may_fork = true;      // --lane
  Limits limits{};           // of a submission
  bool is_for_many = false;  // submissions
};

// Found out once a run.
struct LoaderContext {
  std::shared_ptr<Interpreters> interpreters;
  Compilers compilers;
  std::shared_ptr<CompilerTrials> compiler_trials =
      std::make_shared<CompilerTrials>();
  std::shared_ptr<ModuleTrials> module_trials =
      std::make_shared<ModuleTrials>();
  std::filesystem::path python_host;  // the folder attngrade_host
  std::vector<Task> tasks;
  MatchOptions match;
  std::shared_ptr<const Adapter> adapter;  // of the tasks, or null
  std::filesystem::path native_host;
  std::filesystem::path include_folder;
  std::filesystem::path scratch;
  Isolation isolation{};  // of whatever reads, compiles or runs submissions
  std::shared_ptr<ForkServers> fork_servers{};  // null: there is no such lane
  Limits limits{};                              // of a submission
  bool is_for_many = false;                     // submissions
};

// Writes the host into a folder of its own in the scratch folder, read-only.
// Throws Error.
LoaderContext make_loader_context(const LoaderSettings& settings);

}  // namespace grader
