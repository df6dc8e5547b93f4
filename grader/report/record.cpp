// SPDX-License-Identifier: MIT
#include "grader/report/record.hpp"

#include <algorithm>

namespace grader {
namespace {

bool is_ungraded(const Record& record) {
  return record.verdict == Verdict::not_graded;
}

bool is_grader_failure(const Record& record) {
  return is_ungraded(record) &&
         !(record.cause && record.cause->kind == "unsupported");
}

bool is_correct(const Record& record) {
  return record.verdict == Verdict::correct;
}

}  // namespace

int exit_code(const Run& run, bool exit_zero) {
  constexpr int all_correct = 0;
  constexpr int some_not_correct = 1;
  constexpr int grader_failed = 3;
  constexpr int nothing_found = 4;
  if (run.records.empty()) {
    return nothing_found;
  }
  if (std::ranges::any_of(run.records, is_grader_failure)) {
    return grader_failed;
  }
  if (std::ranges::all_of(run.records, is_correct)) {
    return all_correct;
  }
  // Nothing was judged: no option turns that into success.
  const bool nothing_judged = std::ranges::all_of(run.records, is_ungraded);
  return exit_zero && !nothing_judged ? all_correct : some_not_correct;
}

}  // namespace grader
