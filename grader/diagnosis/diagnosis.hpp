// SPDX-License-Identifier: MIT
// What is said of one task of one submission, and on what evidence.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/bilinear.hpp"
#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/scale_law.hpp"

namespace grader {

enum class Verdict {
  correct,
  faulty,
  unclassified,
  bad_output,
  load_error,
  crashed,
  timed_out,
  out_of_memory,
  limit_exceeded,
  forbidden,
  rejected,
  not_graded,
};

std::string to_string(Verdict verdict);  // "bad-output"

// Why a record is neither correct nor faulty.
struct Cause {
  std::string kind;  // "syntax", "signal", "cpu", "environment", "unsupported"
  std::string detail;  // hostile text where it comes from the candidate
  std::string phase;   // "stage", "compile", "load" or "call CASE"
  std::string limit;   // "10 s of CPU time", or empty
  std::string option;  // "--time-limit", or empty
};

struct RunnerUp {
  std::vector<std::string> faults;  // empty: "correct"
  std::string text;    // "the scores are divided by the number of keys"
  double error = 0.0;  // on the case where it fits worst
};

struct Evidence {
  std::optional<ScaleLaw> scale_law;
  std::optional<BilinearForm> bilinear;  // of an answer without a name
  std::optional<double>
      hypothesis_error;  // largest, relative to nothing: max |W - W_h|
  std::optional<double> hypothesis_limit;  // the tolerance of that very case
  std::optional<RunnerUp> runner_up;
  std::vector<Property> properties;
  std::vector<std::string>
      right;  // "product", "softmax axis": stages shown right
  std::map<std::string, std::string> params;  // "constant": "0.125"
  std::string stage;                          // of an unclassified answer
  std::string weights_source;  // "returned", "recovered", "not-recovered"
  std::string
      limitation;  // "recovered weights: the function returns its output only"
};

struct CaseResult {
  std::string name;
  int rank = 0;
  bool is_public = true;
  std::string outcome;  // "returned", "raised", ...
  std::string detail;   // exception type and first line, or the shape problem
  std::optional<double> max_error;  // of the weights, else of the output
  std::optional<double> tolerance;
  bool passed = false;
  // As far as the answer to the case itself goes, whatever came of other values
  // with the same queries and keys.
  bool answer_passed = false;
  std::optional<std::string>
      excluded;  // "rank declined", "no evidence at this precision"
};

struct Diagnosis {
  Verdict verdict = Verdict::not_graded;
  std::vector<std::string> faults;
  // Complete alternative fault sets.
  std::vector<std::vector<std::string>> ties;
  std::string certainty;  // "proven", "tied", "fitted", "unexplained" or empty
  std::vector<std::string> notes;
  std::vector<int> ranks;  // supported
  std::map<int, std::vector<std::string>> faults_by_rank;
  std::string summary;  // one sentence a person would say
  double score = 0.0;
  // With its one fault mended; absent where nobody can tell.
  std::optional<double> score_if_mended;
  std::optional<Cause> cause;
  Evidence evidence;
  std::vector<CaseResult> cases;
};

// `prepared` stands in the order of the observations. `interface_precision` is
// that of the arguments: float64, or float32 for _f32 symbols. The score is
// that of the usual points; set_score() knows those of a task.
Diagnosis diagnose(const Observations& observations,
                   const std::vector<PreparedCase>& prepared,
                   DType interface_precision);

}  // namespace grader
