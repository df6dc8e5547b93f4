// SPDX-License-Identifier: MIT
#include "grader/commands.hpp"

namespace grader {

std::string_view tool_version() {
  return ATTNGRADE_VERSION;
}

int run_command_line(const Options& options) {
  switch (options.command) {
    case Command::grade:
    case Command::check:
      return run_grade(options);
    case Command::faults:
      return run_faults(options);
    case Command::fixtures_make:
    case Command::fixtures_verify:
      return run_fixtures(options);
    case Command::fixtures_audit:
      return run_fixtures_audit(options);
    case Command::selftest:
      return run_selftest(options);
    case Command::doctor:
      return run_doctor(options);
    case Command::make_new:
      return run_new(options);
    case Command::demo:
    case Command::demo_heads:
    case Command::demo_training:
    case Command::demo_transpose:
      return run_demo(options);
  }
  return exit_usage;
}

}  // namespace grader
