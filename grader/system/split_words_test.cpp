// SPDX-License-Identifier: MIT
#include "grader/system/split_words.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("a line is cut at blanks, but for quotes", "[split_words]") {
  struct Row {
    const char* line;
    Words words;
  };
  const std::vector<Row> rows = {
      {"", {}},
      {" \t\n", {}},
      {"node attention.js", {"node", "attention.js"}},
      {"  a\tb\nc ", {"a", "b", "c"}},
      {"python3 'my file.py'", {"python3", "my file.py"}},
      {"a \"b  c\"'d e'f", {"a", "b  cd ef"}},
      {"'' \"\"", {"", ""}},
      {R"(a\ b \'c\" \\)", {"a b", "'c\"", "\\"}},
      {R"("a\"b\\c\$d\ne" '\')", {R"(a"b\c$d\ne)", "\\"}},
      {"$HOME *.js | tee > x # y ~",
       {"$HOME", "*.js", "|", "tee", ">", "x", "#", "y", "~"}},
  };
  for (const Row& row : rows) {
    INFO(row.line);
    CHECK(split_words(row.line) == row.words);
  }
}

TEST_CASE("a quote that is not closed is no line", "[split_words]") {
  for (const char* line : {"'", "\"", "a 'b", "a \"b\\\"", "a\\", "'a\\'b'"}) {
    INFO(line);
    CHECK_FALSE(split_words(line));
  }
}

}  // namespace
}  // namespace grader
