// SPDX-License-Identifier: MIT
// Records of submissions that were stopped before there were numbers to judge.
#pragma once

#include <string>
#include <vector>

#include "grader/loader/program.hpp"
#include "grader/report/record.hpp"
#include "grader/submission/submission.hpp"
#include "grader/worker/outcome.hpp"

namespace grader {

Cause simple_cause(const std::string& kind, const std::string& detail,
                   const std::string& phase);

// The record with that verdict; its summary is the line of the cause that says
// most.
Record with_cause(Record record, Verdict verdict, Cause cause);

// Visits what stopped a submission; `phase` as in Cause.
struct Stopped {
  Record blank;
  std::string phase;

  Record operator()(const Problem& problem) const;
  Record operator()(const LoadFailure& failure) const;
  Record operator()(const CannotGrade& reason) const;
  Record operator()(const Outcome& outcome) const;
};

// One file of a larger submission, typed alone or found in a collection, cannot
// import the others, for nothing but itself is in its folder: its load errors
// say so.
std::vector<Record> with_folder_advice(std::vector<Record> records,
                                       const Submission& submission);

}  // namespace grader
