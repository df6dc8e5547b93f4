// SPDX-License-Identifier: MIT
// submission -> loader -> worker -> observations -> comparison -> diagnosis ->
// record: the flow of a run over files and folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/isolation/find_isolation.hpp"
#include "grader/loader/program.hpp"
#include "grader/report/record.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

struct Settings {
  std::vector<std::filesystem::path> paths;
  bool recursive = false;
  bool as_one = false;  // a folder is one submission
  std::string command;  // --command: instead of paths, with a task in `match`
  MatchOptions match;
  std::vector<int> ranks;                // --ranks, empty: the task's
  std::filesystem::path python;          // --python, empty: searched
  std::filesystem::path fixtures;        // folder with tasks/ and cases/
  std::filesystem::path native_host;     // absolute
  std::filesystem::path include_folder;  // of attngrade.h
  std::optional<std::uint64_t> seed;     // of the twins; absent: random
  bool use_twins = true;  // grade; check runs the public cases only
  unsigned jobs = 1;      // submissions at the same time
  Limits limits;          // of one submission
  IsolationFinding isolation{};
  std::string lane = "auto";  // exec: no warm processes; fork: nothing else
};

// Called after each finished submission, from one thread at a time. What it
// throws ends the run: nothing new is started, and run_pipeline throws it on.
// When it throws, the run ends after the submissions that are being graded, and
// the exception leaves run_pipeline.
using Progress = std::function<void(std::size_t done, std::size_t total,
                                    const std::string& file)>;

// Throws Error where the run as a whole cannot start. What one submission does
// ends in its records.
Run run_pipeline(const Settings& settings, const Progress& progress);

// The same for a program that is its own submission: a self-check that has the
// candidate's functions linked in. `paths` is not used.
Run check_program(const Program& program, const Settings& settings);

}  // namespace grader
