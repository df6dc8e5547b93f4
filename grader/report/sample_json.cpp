// SPDX-License-Identifier: MIT
// Prints the JSON document of the sample run, for validate_schema.py.
#include <iostream>

#include "grader/report/json.hpp"
#include "grader/report/sample_records.hpp"

int main() {
  grader::Run run = grader::sample_run();
  run.records.push_back(grader::module_record());
  run.records.push_back(grader::hostile_record());
  std::cout << grader::render_json(run);
}
