// SPDX-License-Identifier: MIT
// The subcommands: options in, exit code out. Results go to stdout, trouble
// and progress to stderr. What stops the grader leaves as Error.
#pragma once

#include <string>
#include <string_view>

#include "grader/options.hpp"

namespace grader {

std::string_view tool_version();  // "0.1.0"

int run_command_line(const Options& options);

int run_grade(const Options& options);  // check too
int run_faults(const Options& options);
int run_fixtures(const Options& options);  // make, verify
int run_fixtures_audit(const Options& options);
int run_selftest(const Options& options);
int run_new(const Options& options);
int run_demo(const Options& options);
int run_doctor(const Options& options);

// Exit code 0, 1, ... of a finished command (contract, section 5).
constexpr int exit_success = 0;
constexpr int exit_finding = 1;
constexpr int exit_usage = 2;
constexpr int exit_environment = 3;
constexpr int exit_nothing_found = 4;

}  // namespace grader
