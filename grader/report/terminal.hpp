// SPDX-License-Identifier: MIT
// What a person reads in a terminal, 80 columns wide. Pure functions: a result
// in, text out. Colour only repeats what the words say.
#pragma once

#include <cstddef>
#include <string>

#include "grader/report/record.hpp"

namespace grader {

struct TerminalStyle {
  bool color = false;
  bool verbose = false;        // with the table of cases and captured output
  std::size_t width = 80;      // columns, at least 60
  bool for_candidate = false;  // no interview question, no seed
};

// One result: verdict, fault, proof, numbers to look at, what to do next.
std::string render_record(const Record& record, const TerminalStyle& style);

// A run: how many of each verdict and fault, then a line for each result that
// is not correct.
std::string render_summary(const Run& run, const TerminalStyle& style);

// One submission: its results in full. Several: the summary; in full as well
// when the style is verbose.
std::string render_run(const Run& run, const TerminalStyle& style);

}  // namespace grader
