// SPDX-License-Identifier: MIT
#include <exception>
#include <string_view>

#include "grader/isolation/cell/keeper.hpp"
#include "grader/isolation/cell/probe.hpp"
#include "grader/isolation/cell/report.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--probe") {
    return grader::run_probe(argc, argv);
  }
  try {
    grader::keep(grader::parse_cell_options({argv + 1, argv + argc}));
    return 0;
  } catch (const std::exception& failure) {
    grader::report_failure(failure.what());
    return 1;
  }
}
