// SPDX-License-Identifier: MIT
#include <iostream>

#include "grader/commands.hpp"
#include "grader/fixture/golden.hpp"
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

int verify(const Options& options) {
  const DataPaths data = find_data(options.fixtures);
  const std::vector<Finding> findings = verify_cases(data.fixtures);
  for (const Finding& finding : findings) {
    std::cout << one_line(finding.case_name) << ": " << one_line(finding.text)
              << "\n";
  }
  if (!findings.empty()) {
    return exit_finding;
  }
  std::cout << "every case below "
            << one_line((data.fixtures / "cases").string())
            << " has the numbers of the reference\n";
  return exit_success;
}

}  // namespace

int run_fixtures(const Options& options) {
  return options.command == Command::fixtures_make ? make(options)
                                                   : verify(options);
}

}  // namespace grader
