// SPDX-License-Identifier: MIT
#include "grader/loader/choose_file.hpp"

#include "grader/loader/test_tasks.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

std::string chosen(const std::vector<FileInspection>& files,
                   const MatchOptions& options = {},
                   bool is_only_python = true) {
  const auto choice = choose_file(files, is_only_python, test_tasks(), options);
  const auto* failure = std::get_if<LoadFailure>(&choice);
  return failure == nullptr ? std::get<std::string>(choice)
                            : failure->kind + ": " + failure->detail;
}

const FileInspection ops{"attention.py", {}, {}, {"attention", "softmax"}};
const FileInspection heads{
    "heads.py", {}, {"attention"}, {"multi_head_attention"}};
const FileInspection demo{"demo.py", {}, {"attention"}, {"main"}};

TEST_CASE("the file that defines a function of a task is the submission",
          "[choose_file]") {
  CHECK(chosen({ops, demo}) == "attention.py");
}

TEST_CASE("what an adapter asks for makes a file the submission",
          "[choose_file]") {
  MatchOptions options;
  options.asked_for = {"main", "no_such_name"};
  CHECK(chosen({ops, heads, demo}, options) == "demo.py");
  options.asked_for = {"main", "softmax"};
  CHECK(chosen({ops, demo}, options) == "demo.py");  // which imports the other
  options.asked_for = {"no_such_name"};
  CHECK(chosen({ops, heads}, options).find("no-function: ") == 0);
  CHECK(chosen({ops}, options) == "attention.py");
  options.file = "heads.py";
  CHECK(chosen({ops, heads}, options) == "heads.py");
}

TEST_CASE("a single file is taken whatever it defines", "[choose_file]") {
  CHECK(chosen({demo}) == "demo.py");
}

TEST_CASE("a single file beside C counts by what it defines", "[choose_file]") {
  CHECK(chosen({demo}, {}, false).find("no-function: ") == 0);
  CHECK(chosen({ops}, {}, false) == "attention.py");
}

TEST_CASE("what a candidate imports is its helper", "[choose_file]") {
  CHECK(chosen({ops, heads, demo}) == "heads.py");
}

TEST_CASE("a plain name beats an adorned one that imports it",
          "[choose_file]") {
  const FileInspection bench{
      "bench.py", {}, {"attention"}, {"torch_attention", "main"}};
  CHECK(chosen({ops, bench}) == "attention.py");
  CHECK(chosen({bench, ops}) == "attention.py");
  CHECK(chosen({bench, demo}) == "bench.py");
  const FileInspection both{
      "both.py", {}, {"attention"}, {"my_attention", "causal_attention"}};
  CHECK(chosen({ops, both}) == "both.py");
}

TEST_CASE("the task that is asked for decides", "[choose_file]") {
  MatchOptions options;
  options.task = "attention";
  CHECK(chosen({ops, heads, demo}, options) == "attention.py");
}

TEST_CASE("an entry is looked for, in its file if one is named",
          "[choose_file]") {
  MatchOptions options;
  options.entry = "main";
  CHECK(chosen({ops, heads, demo}, options) == "demo.py");
  options.file = "heads.py";
  CHECK(chosen({ops, heads, demo}, options) == "heads.py");
  options.file = "nothing.py";
  CHECK(chosen({ops, demo}, options) ==
        "no-file: there is no Python file nothing.py in it: attention.py and "
        "demo.py");
}

TEST_CASE("two answers are one too many, and the way out is told",
          "[choose_file]") {
  const FileInspection other{"v2/attention.py", {}, {}, {"Attention"}};
  CHECK(chosen({ops, other}) ==
        "ambiguous: say which file, as in --entry attention.py:attention: "
        "several could be the submission, attention.py (`attention`) and "
        "v2/attention.py (`Attention`)");
}

TEST_CASE("no answer lists what was looked at", "[choose_file]") {
  CHECK(chosen({demo, {"utils.py", {}, {}, {"softmax"}}}) ==
        "no-function: none of its Python files defines a function of a task: "
        "demo.py and utils.py. Name the function: --entry FILE:NAME");
}

TEST_CASE("what is a test by its name alone is taken where nothing else is it",
          "[choose_file]") {
  const FileInspection coding{"coding_test.py", {}, {"helpers"}, {"attention"}};
  const FileInspection helpers{"helpers.py", {}, {}, {"one"}};
  const FileInspection package{"lib/__init__.py", {}, {}, {}};
  CHECK(chosen({coding}) == "coding_test.py");
  CHECK(chosen({coding, helpers, package}) == "coding_test.py");
  CHECK(chosen({coding, ops}) == "attention.py");
  CHECK(chosen({coding, helpers, {"test_b.py", {}, {}, {"attention"}}})
            .find("ambiguous: ") == 0);
  // Beside C, whose test it may be, and one that has Python of its own.
  CHECK(chosen({coding}, {}, false) == "coding_test.py");
  CHECK(chosen({coding, helpers}, {}, false).find("no-function: ") == 0);
}

TEST_CASE("what a real test compares with is not the submission",
          "[choose_file]") {
  const FileInspection helpers{"helpers.py", {}, {}, {"one"}};
  const FileInspection reference{"tests/reference.py", {}, {}, {"attention"}};
  const FileInspection broken{"attention.py", {}, {}, {}};
  for (const FileInspection& test :
       {FileInspection{"tests/test_a.py", {}, {}, {"test_shapes"}},
        FileInspection{"tests/test_a.py", {}, {}, {"TestAttention"}},
        FileInspection{"a_test.py", {"pytest"}, {}, {"attention"}},
        FileInspection{"a_test.py", {"ctypes"}, {}, {"attention"}}}) {
    CHECK(chosen({helpers, reference, test}) == "helpers.py");
    CHECK(chosen({reference, test}, {}, false).find("no-function: ") == 0);
  }
  // A file that cannot be parsed may be the submission: loading will tell.
  CHECK(chosen({broken, reference}) == "attention.py");
}

TEST_CASE("what was left aside as a test is told, and can be named",
          "[choose_file]") {
  const FileInspection test{"test_a.py", {"pytest"}, {}, {"attention"}};
  const FileInspection nested{"tests/demo.py", {}, {}, {"attention"}};
  CHECK(chosen({demo, {"utils.py", {}, {}, {"softmax"}}, test}) ==
        "no-function: none of its Python files defines a function of a task: "
        "demo.py and utils.py (left aside as tests: test_a.py). Name the "
        "function: --entry FILE:NAME");
  MatchOptions options;
  options.file = "test_a.py";
  CHECK(chosen({demo, ops, test}, options) == "test_a.py");
  options.file = "demo.py";
  CHECK(chosen({demo, ops, nested}, options) == "demo.py");
  options.file = "tests/demo.py";
  CHECK(chosen({demo, ops, nested}, options) == "tests/demo.py");
}

TEST_CASE("files that use each other stay candidates", "[choose_file]") {
  const FileInspection a{"a.py", {}, {"b"}, {"attention"}};
  const FileInspection b{"b.py", {}, {"a"}, {"attention"}};
  CHECK(chosen({a, b}).find("ambiguous") == 0);
}

}  // namespace
}  // namespace grader
