// SPDX-License-Identifier: MIT
// The result of one task of one submission, and of a run: plain values that
// every report format is rendered from. The JSON field names are those of
// report/schema.json; see docs/json.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/example/smallest_example.hpp"
#include "grader/loader/module_study.hpp"

namespace grader {

// A few rows to look at: expected and actual weights of one public case.
struct Exhibit {
  std::string case_name;
  int case_number = 0;  // 1-based among case_count
  int case_count = 0;
  std::string where;             // "d_k = 64, batch 0, head 0, first row"
  std::vector<double> expected;  // one row of the weights, or of the output
  std::vector<double> actual;
  std::string what;                // "weights" or "output"
  std::string comment;             // "the weights are pulled towards 1/8: ..."
  std::vector<std::string> numpy;  // lines that repeat it
};

// Between the grader and the submission.
struct UsedAdapter {
  std::string name;    // "adapter.py"
  std::string sha256;  // of its bytes
};

// A function of a library that the task objects to.
struct LibraryCall {
  std::string name;   // "torch.nn.MultiheadAttention"
  std::string place;  // "line 12", "helpers.py, line 3", or empty; hostile text
  bool was_seen = false;  // in a call of the submission
  std::string judged;     // "fault", "note" or "unseen": no call came to it
};

// What is said of the task (Diagnosis), and of what submission.
struct Record : Diagnosis {
  std::string file;    // relative to the path given, hostile bytes
  std::string sha256;  // of the bytes; empty where they could not be read
  std::optional<std::string> task;
  std::string entry;
  double max_score = 1.0;
  std::optional<Exhibit> exhibit;
  std::optional<SmallestExample> smallest_example;
  // How it was loaded, where that is worth a word: "cell 4: %matplotlib inline
  // dropped".
  std::vector<std::string> remarks;
  std::optional<UsedAdapter> adapter;
  std::vector<LibraryCall> library_calls;
  std::string called_with;  // "torch tensors of float32"; empty for C
  // Of a class that builds its own projections: where its weights were put.
  std::vector<ModuleParameter> parameters;
  std::string interpreter;  // "/usr/bin/python3 (Python 3.11.2, numpy 1.24.2)"
  std::string standard_output;
  std::string standard_error;
  double seconds = 0.0;  // CPU seconds of the submission
};

struct Run {
  std::string tool_version;
  std::uint64_t seed = 0;
  std::string isolation_level = "L0";
  std::string isolation_detail;
  std::string lane = "exec";    // or fork: from warm processes
  std::string lane_detail;      // why some or all did not fork, or empty
  std::string command;          // "grade" or "check"
  std::vector<Record> records;  // in the order of the submissions
  std::size_t submissions = 0;
  std::size_t passed_over = 0;  // files that are no submissions
  double seconds = 0.0;         // wall time of the run
  std::map<std::string, std::string> environment;
};

// Contract, section 5: 0 all correct, 1 at least one not, 3 the grader failed,
// 4 nothing found.
int exit_code(const Run& run, bool exit_zero);

}  // namespace grader
