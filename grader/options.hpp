// SPDX-License-Identifier: MIT
// What the user asked for, as plain values with their defaults. The command
// line is declared in cli.cpp; here are the meaning and the combinations.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/paths.hpp"
#include "grader/pipeline.hpp"

namespace grader {

enum class Command {
  grade,
  check,
  faults,
  fixtures_make,
  fixtures_verify,
  fixtures_audit,
  selftest,
  doctor,
  demo,
  demo_heads,
  demo_training,
  demo_transpose,
  make_new
};

enum class ColorChoice { automatic, always, never };

struct Options {
  Command command = Command::grade;

  // What is graded (grade, check).
  std::vector<std::filesystem::path> paths;
  std::string command_line;  // --command, instead of paths; empty: none
  bool recursive = false;
  bool as_one = false;          // a folder is one submission
  std::string task;             // empty: every task whose function is there
  std::string entry;            // NAME or FILE:NAME; empty: found by the rules
  std::string framework;        // empty: by what the function uses
  std::string mask_convention;  // keep, hide, additive; empty: the task's
  std::vector<int> ranks;       // empty: the task's
  std::string dtype;            // empty: by the framework; selftest: each

  // How it is run.
  std::filesystem::path python;       // empty: the first with numpy
  std::filesystem::path fixtures;     // empty: those of the installation
  std::optional<std::uint64_t> seed;  // of the twins; absent: a random one
  unsigned jobs = 0;                  // 0: one a processor
  double time_limit = 10.0;           // CPU seconds of one submission
  std::uint64_t memory_limit = std::uint64_t{1} << 30U;   // bytes
  std::uint64_t output_limit = std::uint64_t{16} << 20U;  // bytes
  std::uint64_t process_limit = 512;                      // and threads
  std::uint64_t file_limit = 256;                         // open at a time
  std::uint64_t disk_limit = std::uint64_t{64} << 20U;    // bytes
  std::string isolation = "auto";  // auto, none, L1 .. L3
  std::string require_isolation;   // empty: no requirement
  std::string lane = "auto";       // auto, exec, fork

  // What is written.
  std::filesystem::path json;   // empty: none, "-": stdout
  std::filesystem::path junit;  // likewise
  bool quiet = false;           // no report for people
  bool verbose = false;         // in full, for each submission
  ColorChoice color = ColorChoice::automatic;
  bool exit_zero = false;  // exit 0 instead of 1

  // faults ID, fixtures make FILE..., fixtures audit TASK or FILE...
  std::string fault;
  std::vector<std::filesystem::path> files;
  std::optional<double> tolerance;  // absolute; absent: that of float32
  bool output_only = false;         // the weights do not count

  // selftest
  unsigned seeds = 1;   // of the twins, from `seed` (1) on
  int double_step = 0;  // every nth pair of faults; 0: none
  bool right_forms_only = false;

  // new FOLDER, which is the one of `paths`
  std::vector<std::string> languages = {"python"};

  // demo, with `seed` (0)
  std::int64_t d_k = 64;         // width of a query and a key
  std::int64_t d_model = 512;    // of all heads
  std::int64_t heads = 8;        // demo heads
  std::int64_t n = 16;           // queries, and keys
  std::int64_t draws = 200;      // of both
  std::int64_t starts = 10;      // demo training
  std::int64_t steps = 300;      // demo training
  std::int64_t size = 4;         // demo transpose: of each axis
  std::filesystem::path html;    // empty: none, "-": stdout
  std::filesystem::path script;  // likewise
};

// "512M", "1G", "65536": bytes, with K, M and G as powers of 1024.
std::optional<std::uint64_t> parse_size(std::string_view text);

// "2,3,4": each of 2, 3 and 4 at most once.
std::optional<std::vector<int>> parse_ranks(std::string_view text);

// Combinations that cannot be: two documents on stdout, ... Throws Error
// (usage).
void check_options(const Options& options);

// Tries the isolation: throws Error (environment) where this machine does not
// grant what was asked for.
Settings make_settings(const Options& options, const DataPaths& data);

// The programs that isolate, and what they hide. At L0.
Isolation tools_of(const DataPaths& data);

}  // namespace grader
