// SPDX-License-Identifier: MIT
#include <chrono>
#include <iostream>

#include "grader/commands.hpp"
#include "grader/fixture/golden.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

int make(const Options& options) {
  if (!options.files.empty()) {
    for (const std::filesystem::path& file : options.files) {
      complete_case(file);
      std::cout << "wrote " << one_line(file.string()) << "\n";
    }
    return exit_success;
  }
  const DataPaths data = find_data(options.fixtures);
  const auto written = write_cases(data.fixtures);
  std::cout << "wrote " << written.size() << " cases below "
            << one_line((data.fixtures / "cases").string()) << "\n";
  return exit_success;
}

// Our own reference, on the numbers in the files.
bool agree_with_reference(const std::filesystem::path& fixtures) {
  const std::vector<Finding> findings = verify_cases(fixtures);
  for (const Finding& finding : findings) {
    std::cout << one_line(finding.case_name) << ": " << one_line(finding.text)
              << "\n";
  }
  if (findings.empty()) {
    std::cout << "reference: every case below "
              << one_line((fixtures / "cases").string())
              << " has its numbers\n";
  }
  return findings.empty();
}

// A script that shares nothing with it: numpy draws and evaluates by itself.
bool agree_with_numpy(const std::filesystem::path& fixtures,
                      const std::filesystem::path& python) {
  Interpreters interpreters(python);
  const InterpreterPtr interpreter = interpreters.choose({});
  if (interpreter == nullptr) {
    throw Error(Blame::environment,
                "cannot confirm the cases by numpy: " +
                    missing_module_text("numpy", interpreters.all()));
  }
  const std::filesystem::path script = find_data({}).fixtures / "verify.py";
  CommandLimits limits;
  limits.wall = limits.cpu = std::chrono::minutes(10);
  const CommandResult result =
      run_command({interpreter->executable.string(), "-B", script.string(),
                   fixtures.string()},
                  own_environment(), fixtures, limits);
  std::cout << "numpy: " << to_string(*interpreter) << "\n"
            << printable(last_line(result.standard_output)) << "\n";
  if (!result.succeeded()) {
    std::cout << printable(result.standard_output)
              << printable(result.standard_error);
  }
  return result.succeeded();
}

int verify(const Options& options) {
  const DataPaths data = find_data(options.fixtures);
  const bool reference = agree_with_reference(data.fixtures);
  const bool numpy = agree_with_numpy(data.fixtures, options.python);
  return reference && numpy ? exit_success : exit_finding;
}

}  // namespace

int run_fixtures(const Options& options) {
  return options.command == Command::fixtures_make ? make(options)
                                                   : verify(options);
}

}  // namespace grader
