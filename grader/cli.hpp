// SPDX-License-Identifier: MIT
// The command line: argv in, options out. Declares every option with its help;
// the only place that knows the parser.
#pragma once

#include <optional>
#include <string>

#include "grader/options.hpp"

namespace grader {

struct CommandLine {
  std::optional<Options> options;  // absent: print the texts and end
  int exit_code = 0;               // 0 after help and version, 2 on misuse
  std::string output;              // for stdout: help, version
  std::string complaint;           // for stderr
};

CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace grader
