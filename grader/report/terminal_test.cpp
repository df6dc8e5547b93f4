// SPDX-License-Identifier: MIT
#include "grader/report/terminal.hpp"

#include <algorithm>
#include <sstream>

#include "grader/report/layout.hpp"
#include "grader/report/sample_records.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

// The first line that is too wide or ends in a space, or nothing.
std::string bad_line(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (display_width(line) > 80 || line.ends_with(' ')) {
      return line;
    }
  }
  return {};
}

bool has_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a division by d_k is reported with its proof", "[terminal]") {
  CHECK(
      render_record(divided_by_dk_record(), {}) ==
      R"(dk.py · attention · FAULTY                                        score 0.5 of 1

  The scores are divided by d_k, not by sqrt(d_k).           scale-by-dk  proven

  Scale law   scores x d_k^-1.000 (+-1e-15), expected d_k^-0.500 (10 cases)
  Proof       made on purpose, the same numbers: error 4.4e-16, limit 2.1e-14
  Next best   the scores are divided by the number of keys: error 0.021
  Tie         scale-twice gives the same numbers; only the source tells them
              apart
  Score       With only this fault mended: full marks.
  Right       product, softmax over the keys, weighted sum, batches and heads

  Case 2 of 10, r3_wide: d_k = 64, first row of the weights
    expected  0.308  0.264  0.068  0.360
    got       0.261  0.256  0.216  0.266
    the weights are pulled towards 1/4: almost no attention

  Smallest example: weights[0] of
    q = k = v = [[1, 0], [0, 1]]
    expected  0.670  0.330
    got       0.622  0.378
    right     scores of query 0: 1*1 + 0*0 = 1, 1*0 + 0*1 = 0; divided by
              sqrt(2): 0.707, 0; softmax: 0.670, 0.330

  Repeat it
    rng = np.random.default_rng(7)
    q, k, v = rng.standard_normal((3, 64)), rng.standard_normal((4,
        64)), rng.standard_normal((4, 5))
    attention(q, k, v)[1]

  Ask next    What is the variance of q . k for d_k = 64? And of q . k / 64?
  If you hear A dot product sums d_k terms, so one divides by d_k.
  Reply       The terms have mean 0, so their sum grows like sqrt(d_k). Divided
              by d_k the scores shrink towards 0 as the head gets wider.
  More        attngrade faults scale-by-dk
)");
}

TEST_CASE("a guess of where the weights of a module go is shown",
          "[terminal]") {
  Record record = module_record();
  const std::string guessed =
      "  Parameters  c_attn.weight = (w_k w_q w_v) (by name); c_proj.weight "
      "= "
      "w_o (by\n              shape)\n";
  CHECK(render_record(record, {}).find(guessed) != std::string::npos);
  record.parameters.back().by = "data flow";
  CHECK(render_record(record, {}).find("Parameters") == std::string::npos);
  const TerminalStyle verbose{.verbose = true};
  const std::string all = render_record(record, verbose);
  CHECK(all.find("  Parameters  c_attn") != std::string::npos);
  CHECK(all.find("d_model = C, num_heads = H, dropout = 0") !=
        std::string::npos);
}

TEST_CASE("many parameters of long names stay within the width", "[terminal]") {
  Record record = module_record();
  record.parameters.assign(
      64, {std::string(300, 'w') + "\x1b[2J", "w_q w_k", "use"});
  const std::string text = render_record(record, {});
  CHECK(bad_line(text).empty());
  CHECK(text.find("and 52 more") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("a correct submission is reported with its margin", "[terminal]") {
  CHECK(
      render_record(correct_record(), {}) ==
      R"(good.py · attention · CORRECT                                       score 1 of 1

  Every weight is within its limit.

  Margin      largest error 0.1 of its limit, over 2 cases
  Right       product, scale, softmax over the keys

  Notes       single-precision
)");
}

TEST_CASE("a crash is reported with what was written", "[terminal]") {
  CHECK(
      render_record(crashed_record(), {}) ==
      R"(segfault.c · attention · CRASHED                                    score 0 of 1

  The submission was killed by signal 11 (SIGSEGV).

  Cause       signal 11 (SIGSEGV)
  When        call r2_plain

  It wrote to stderr
    about to crash
)");
}

TEST_CASE("a limit is reported with the option that sets it", "[terminal]") {
  CHECK(
      render_record(timed_out_record(), {}) ==
      R"(hang.py · attention · TIMED OUT                                     score 0 of 1

  The time limit was reached.

  Cause       no answer within the limit
  When        call r2_plain
  Limit       10 s of CPU time
  Try         --time-limit, which sets another limit
)");
}

TEST_CASE("a compiler's first error is the headline", "[terminal]") {
  Record record = crashed_record();
  record.verdict = Verdict::load_error;
  record.summary = "does not compile:";
  record.cause = Cause{"compile",
                       "does not compile:\na.c: In function 'attention':\n"
                       "a.c:8:5: error: expected ';' before 'for'\n",
                       "compile", "", ""};
  const std::string text = render_record(record, {});
  CHECK(text.find("\n  Does not compile: expected ';' before 'for'.\n") !=
        std::string::npos);
  CHECK(text.find("  Cause       a.c: In function 'attention':\n") !=
        std::string::npos);
}

TEST_CASE("two faults have a line each", "[terminal]") {
  Record record = divided_by_dk_record();
  record.faults = {"scale-by-dk", "softmax-over-queries"};
  record.summary = "The scores are divided by d_k. The softmax is wrong.";
  const std::string text = render_record(record, {});
  CHECK(text.find("  + scale-by-dk               divides by d_k instead of "
                  "sqrt(d_k)\n"
                  "  + softmax-over-queries      normalises over the queries"
                  "\n") != std::string::npos);
}

TEST_CASE("a run of several has a line for each that is not correct",
          "[terminal]") {
  CHECK(render_run(sample_run(), {}) == R"(faulty
  dk.py  attention  scale-by-dk

crashed
  segfault.c  attention  the submission was killed by signal 11 (SIGSEGV)

timed-out
  hang.py  attention  the time limit was reached

not-graded
  deep.py  needs torch; none of the interpreters found has it

5 submissions in 3.1 s, isolation L0 (submissions run with the rights of the
user)

  correct             1  #
  faulty              1  #
    scale-by-dk                 1
  crashed             1  #
  timed-out           1  #
  not-graded          1  #

  Notes   single-precision 1

  2 files passed over: no submissions
)");
}

TEST_CASE("the smallest example takes twelve lines at most", "[terminal]") {
  Record record = divided_by_dk_record();
  SmallestExample& example = *record.smallest_example;
  example.heads = 2;
  example.mask = reference::Mask{{2, 2}, {1, 0, 1, 1}};
  for (NamedTensor& argument : example.arguments) {
    argument.tensor = reference::Tensor({3, 8}, 2.5);
    argument.tensor.data[0] = static_cast<double>(argument.name[0]);
  }
  for (int i = 0; i < 5; ++i) {
    example.worked += "; " + sample_smallest_example().worked;
  }
  const std::string text = render_record(record, {});
  const std::size_t start = text.find("  Smallest example");
  const std::string section =
      text.substr(start, text.find("\n\n", start) - start);
  CHECK(std::ranges::count(section, '\n') == 11);
  CHECK(section.find("n_heads = 2") != std::string::npos);
  CHECK(section.ends_with("..."));
  CHECK(bad_line(text).empty());
}

TEST_CASE("a run of one shows its record and how it was run", "[terminal]") {
  Run run = sample_run();
  run.records = {correct_record()};
  run.submissions = 1;
  const std::string text = render_run(run, {});
  CHECK(text.starts_with(render_record(correct_record(), {})));
  CHECK(text.find("  Run         3.1 s, seed 7, isolation L0") !=
        std::string::npos);
}

TEST_CASE("a verbose record lists its cases", "[terminal]") {
  TerminalStyle style;
  style.verbose = true;
  CHECK(render_record(correct_record(), style)
            .find("    r2_plain                  passed, error 4.2e-16, limit "
                  "2.1e-14\n") != std::string::npos);
}

TEST_CASE("colour only repeats the words", "[terminal]") {
  TerminalStyle style;
  style.color = true;
  for (const Record& record : sample_run().records) {
    const std::string coloured = render_record(record, style);
    CHECK(coloured.find('\x1b') != std::string::npos);
    CHECK(strip_escapes(coloured) == render_record(record, {}));
  }
}

TEST_CASE("declined ranks are told, each with its first error", "[terminal]") {
  Record record = correct_record();
  CHECK(render_record(record, {}).find("Declined") == std::string::npos);
  record.notes = {"rank-declined"};
  record.ranks = {4};
  record.cases.front().outcome = "raised";
  record.cases.front().detail = "ValueError: batches\nonly";
  CHECK(render_record(record, {})
            .find("Declined    2-D (ValueError: batches only)\n") !=
        std::string::npos);
}

TEST_CASE("no line is wider than 80 columns, whatever the submission says",
          "[terminal]") {
  TerminalStyle style;
  Run run = sample_run();
  run.records.push_back(hostile_record());
  run.records.back().task = std::string(500, 't');
  for (const bool verbose : {false, true}) {
    style.verbose = verbose;
    for (const Record& record : run.records) {
      CHECK(bad_line(render_record(record, style)).empty());
    }
    CHECK(bad_line(render_run(run, style)).empty());
  }
}

TEST_CASE("no byte of a submission reaches the terminal as a control",
          "[terminal]") {
  const std::string text = render_record(hostile_record(), {});
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x01') == std::string::npos);
  CHECK(text.find("\xE2\x80\xAE") == std::string::npos);
}

TEST_CASE("calls of a library are said with the question to ask",
          "[terminal]") {
  Record record = correct_record();
  record.notes = {"library-attention"};
  record.library_calls = {
      {"torch.nn.MultiheadAttention", "line 3", true, "note"},
      {"torch.softmax", "line\n9", false, "unseen"}};
  const std::string text = render_record(record, {});
  CHECK(has_text(text, "Calls       torch.nn.MultiheadAttention, line 3;"));
  CHECK(has_text(text, "seen in no"));
  CHECK(has_text(text, "attngrade faults library-attention"));
  CHECK(bad_line(text).empty());
  CHECK_FALSE(
      has_text(render_record(record, {.for_candidate = true}), "Ask next"));
}

TEST_CASE("a run names the right answers that a library has computed",
          "[terminal]") {
  Run run = sample_run();
  CHECK_FALSE(has_text(render_summary(run, {}), "calls of a library"));
  run.records[0].library_calls = {
      {std::string(90, 'x'), "line 3", true, "note"}};
  const std::string text = render_summary(run, {});
  CHECK(has_text(text, "calls of a library\n  "));
  CHECK(bad_line(text).empty());
}
