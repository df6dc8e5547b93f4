// SPDX-License-Identifier: MIT
#include "grader/report/record.hpp"

#include "grader/report/sample_records.hpp"
#include "tests/catch.hpp"

using grader::exit_code;
using grader::Run;

namespace {

Run run_with(std::vector<grader::Record> records) {
  Run run;
  run.submissions = records.size();
  run.records = std::move(records);
  return run;
}

}  // namespace

TEST_CASE("a run ends with 0 only when everything is correct", "[record]") {
  using namespace grader;
  CHECK(exit_code(run_with({correct_record()}), false) == 0);
  CHECK(exit_code(run_with({correct_record(), crashed_record()}), false) == 1);
  CHECK(exit_code(run_with({divided_by_dk_record()}), false) == 1);
  CHECK(exit_code(run_with({divided_by_dk_record()}), true) == 0);
}

TEST_CASE("a failure of the grader goes before wrong submissions", "[record]") {
  using namespace grader;
  const Run run = run_with({divided_by_dk_record(), not_graded_record()});
  CHECK(exit_code(run, false) == 3);
  CHECK(exit_code(run, true) == 3);
}

TEST_CASE("a form that cannot be graded is no failure of the grader",
          "[record]") {
  grader::Record unsupported = grader::not_graded_record();
  unsupported.cause->kind = "unsupported";
  CHECK(exit_code(run_with({grader::correct_record(), unsupported}), false) ==
        1);
  CHECK(exit_code(run_with({grader::correct_record(), unsupported}), true) ==
        0);
}

TEST_CASE("nothing judged is never a success", "[record]") {
  grader::Record unsupported = grader::not_graded_record();
  unsupported.cause->kind = "unsupported";
  CHECK(exit_code(run_with({unsupported}), true) == 1);
  unsupported.cause.reset();
  CHECK(exit_code(run_with({unsupported}), true) == 3);
  CHECK(exit_code(run_with({}), true) == 4);
}
