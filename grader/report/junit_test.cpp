// SPDX-License-Identifier: MIT
#include "grader/report/junit.hpp"

#include "grader/report/sample_records.hpp"
#include "tests/catch.hpp"

using grader::render_junit;
using grader::Run;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t i = text.find(part); i != std::string::npos;
       i = text.find(part, i + 1)) {
    ++number;
  }
  return number;
}

Run run_of(std::vector<grader::Record> records) {
  Run run;
  run.submissions = records.size();
  run.records = std::move(records);
  return run;
}

}  // namespace

TEST_CASE("a correct submission is a test case without children", "[junit]") {
  grader::Record record = grader::correct_record();
  record.notes.clear();
  CHECK(render_junit(run_of({record})) ==
        R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="attngrade" tests="1" failures="0" errors="0" skipped="0" time="0.250">
  <testsuite name="good.py" tests="1" failures="0" errors="0" skipped="0" time="0.250">
    <properties>
      <property name="isolation" value="L0"/>
      <property name="seed" value="0"/>
      <property name="sha256" value=")" +
            std::string(64, 'a') + R"("/>
    </properties>
    <testcase classname="good.py" name="attention" file="good.py" time="0.250"/>
  </testsuite>
</testsuites>
)");
}

TEST_CASE("notes are properties of the test case", "[junit]") {
  grader::Record record = grader::correct_record();
  record.notes = {"library-attention"};
  record.library_calls = {
      {"torch.nn.MultiheadAttention", "line <3>", true, "note"}};
  const std::string text = render_junit(run_of({record}));
  CHECK(
      contains(text, "<property name=\"note\" value=\"library-attention\"/>"));
  CHECK(contains(text,
                 "<property name=\"library call\" value=\"note: "
                 "torch.nn.MultiheadAttention, line &lt;3&gt;\"/>"));
  CHECK(contains(text, "failures=\"0\""));
}

TEST_CASE("a failure is the candidate's, an error the grader's", "[junit]") {
  const std::string text = render_junit(grader::sample_run());
  CHECK(contains(text, "tests=\"5\" failures=\"3\" errors=\"1\""));
  CHECK(contains(text,
                 "<failure message=\"faulty: scale-by-dk: The scores are "
                 "divided by d_k, not by sqrt(d_k).\" type=\"scale-by-dk\">"));
  CHECK(contains(text, "<failure message=\"crashed: "));
  CHECK(contains(text, "<error message=\"not-graded: Needs torch; "));
  CHECK(contains(text, "<system-err>about to crash\n</system-err>"));
}

TEST_CASE("two records never share class name and name", "[junit]") {
  grader::Record second = grader::correct_record();
  second.entry = "fast";
  const std::string text =
      render_junit(run_of({grader::correct_record(), second, second}));
  CHECK(count(text, "<testsuite ") == 1);
  CHECK(count(text, "name=\"attention\"") == 1);
  CHECK(count(text, "name=\"attention (fast)\"") == 1);
  CHECK(count(text, "name=\"attention #2\"") == 1);
}

TEST_CASE("hostile names and output stay inside their tags and small",
          "[junit]") {
  const std::string text = render_junit(run_of({grader::hostile_record()}));
  CHECK_FALSE(contains(text, "<script>"));
  CHECK_FALSE(contains(text, "\x1b"));
  CHECK_FALSE(contains(text, "\x01"));
  CHECK(count(text, "classname=") == 1);
  CHECK(text.size() < 200000);
}

TEST_CASE("two thousand noisy submissions stay below 30 MB", "[junit]") {
  const Run run =
      run_of(std::vector<grader::Record>(2000, grader::hostile_record()));
  CHECK(render_junit(run).size() < std::size_t{30} << 20U);
}
