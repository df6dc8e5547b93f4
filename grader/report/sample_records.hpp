// SPDX-License-Identifier: MIT
// Results as the tests of the report formats use them; no product code.
#pragma once

#include <string>

#include "grader/report/record.hpp"

namespace grader {

inline CaseResult sample_case(const std::string& name, double error,
                              bool passed) {
  CaseResult result;
  result.name = name;
  result.rank = name[1] - '0';
  result.outcome = "returned";
  result.max_error = error;
  result.tolerance = 2.1e-14;
  result.passed = passed;
  return result;
}

inline Record correct_record() {
  Record record;
  record.file = "good.py";
  record.sha256 = std::string(64, 'a');
  record.task = "attention";
  record.entry = "attention";
  record.verdict = Verdict::correct;
  record.ranks = {2, 3, 4};
  record.summary = "every weight is within its limit";
  record.score = 1.0;
  record.evidence.right = {"product", "scale", "softmax over the keys"};
  record.evidence.weights_source = "returned";
  record.cases = {sample_case("r2_plain", 4.2e-16, true),
                  sample_case("r4_distinct", 2.1e-15, true)};
  record.notes = {"single-precision"};
  record.seconds = 0.25;
  return record;
}

inline Exhibit sample_exhibit() {
  Exhibit exhibit;
  exhibit.case_name = "r3_wide";
  exhibit.case_number = 2;
  exhibit.case_count = 10;
  exhibit.where = "d_k = 64, first row";
  exhibit.what = "weights";
  exhibit.expected = {0.308, 0.264, 0.068, 0.360};
  exhibit.actual = {0.261, 0.256, 0.216, 0.266};
  exhibit.comment = "the weights are pulled towards 1/4: almost no attention";
  exhibit.numpy = {"rng = np.random.default_rng(7)",
                   "q, k, v = rng.standard_normal((3, 64)), "
                   "rng.standard_normal((4, 64)), rng.standard_normal((4, 5))",
                   "attention(q, k, v)[1]"};
  return exhibit;
}

inline SmallestExample sample_smallest_example() {
  const reference::Tensor ones({2, 2}, {1, 0, 0, 1});
  SmallestExample example;
  example.arguments = {{"q", ones}, {"k", ones}, {"v", ones}};
  example.what = "weights";
  example.expected = {{2, 2}, {0.67, 0.33, 0.33, 0.67}};
  example.actual = {{2, 2}, {0.622, 0.378, 0.378, 0.622}};
  example.error = 0.048;
  example.worked =
      "scores of query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by sqrt(2): "
      "0.707, 0; softmax: 0.670, 0.330";
  example.python = {
      "import numpy as np", "q = np.array([[1, 0], [0, 1]], dtype=float)",
      "k = np.array([[1, 0], [0, 1]], dtype=float)",
      "v = np.array([[1, 0], [0, 1]], dtype=float)", "attention(q, k, v)"};
  return example;
}

inline Record divided_by_dk_record() {
  Record record = correct_record();
  record.file = "dk.py";
  record.verdict = Verdict::faulty;
  record.faults = {"scale-by-dk"};
  record.ties = {{"scale-twice"}};
  record.certainty = "proven";
  record.notes.clear();
  record.faults_by_rank = {{2, {"scale-by-dk"}}, {3, {"scale-by-dk"}}};
  record.summary = "the scores are divided by d_k, not by sqrt(d_k)";
  record.score = 0.5;
  record.score_if_mended = 1.0;
  record.evidence.scale_law = ScaleLaw{1.0, {{"d_k", -1.0}}, 1e-15, 1.0, 10};
  record.evidence.hypothesis_error = 4.4e-16;
  record.evidence.hypothesis_limit = 2.1e-14;
  record.evidence.runner_up = RunnerUp{
      {"scale-by-keys"}, "the scores are divided by the number of keys", 0.021};
  record.evidence.right = {"product", "softmax over the keys", "weighted sum",
                           "batches and heads"};
  record.cases = {sample_case("r2_plain", 0.12, false),
                  sample_case("r4_distinct", 0.34, false)};
  record.exhibit = sample_exhibit();
  record.smallest_example = sample_smallest_example();
  return record;
}

inline Record module_record() {
  Record record = correct_record();
  record.file = "module.py";
  record.task = "multi_head_attention";
  record.entry = "MultiHeadAttention";
  record.called_with =
      "torch tensors of float32; d_model = C, num_heads = H, dropout = 0";
  record.remarks = {
      "graded as multi_head_attention: `MultiHeadAttention` (line 9) builds "
      "its own projections"};
  record.parameters = {{"c_attn.weight", "w_k w_q w_v", "name"},
                       {"c_proj.weight", "w_o", "shape"}};
  return record;
}

inline Record crashed_record() {
  Record record;
  record.file = "segfault.c";
  record.task = "attention";
  record.entry = "attention";
  record.verdict = Verdict::crashed;
  record.summary = "the submission was killed by signal 11 (SIGSEGV)";
  record.cause =
      Cause{"signal", "signal 11 (SIGSEGV)", "call r2_plain", "", ""};
  record.standard_error = "about to \x1b[31mcrash\x1b[0m\n";
  return record;
}

inline Record timed_out_record() {
  Record record = crashed_record();
  record.file = "hang.py";
  record.verdict = Verdict::timed_out;
  record.summary = "the time limit was reached";
  record.cause = Cause{"cpu", "no answer within the limit", "call r2_plain",
                       "10 s of CPU time", "--time-limit"};
  record.standard_error.clear();
  return record;
}

inline Record not_graded_record() {
  Record record;
  record.file = "deep.py";
  record.verdict = Verdict::not_graded;
  record.summary = "needs torch; none of the interpreters found has it";
  record.cause = Cause{"environment", record.summary, "load", "", "--python"};
  return record;
}

// A name, a text and numbers as a hostile submission would have them.
inline Record hostile_record() {
  Record record = crashed_record();
  record.file = "a\x1b[2J\xFF<&\"\n\xE2\x80\xAE.py" + std::string(300, 'x');
  record.summary = "<script>]]>\x01\xC3";
  record.cause->detail = std::string(200, 'W') + "\n\x1b]0;title\x07 done\xFE";
  record.standard_output = std::string(1 << 20, '<');
  record.standard_error =
      std::string(1, '\0') + "\x08&amp;\xED\xA0\x80\xEF\xBF\xBE";
  return record;
}

inline Run sample_run() {
  Run run;
  run.tool_version = "0.1.0";
  run.seed = 7;
  run.isolation_detail = "submissions run with the rights of the user";
  run.command = "grade";
  run.records = {correct_record(), divided_by_dk_record(), crashed_record(),
                 timed_out_record(), not_graded_record()};
  run.submissions = run.records.size();
  run.passed_over = 2;
  run.seconds = 3.1;
  return run;
}

}  // namespace grader
