// SPDX-License-Identifier: MIT
#include "grader/loader/program_search.hpp"

#include <algorithm>
#include <cstdlib>

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("a program is found on PATH, by an absolute path",
          "[program_search]") {
  const auto shell = find_program("sh");
  REQUIRE(shell);
  CHECK(shell->is_absolute());
  CHECK(find_program(shell->string()) == shell);
}

TEST_CASE("what is no program is not found", "[program_search]") {
  CHECK_FALSE(find_program(""));
  CHECK_FALSE(find_program("no-such-program-anywhere"));
  CHECK_FALSE(find_program("/"));
  CHECK_FALSE(find_program("/etc/passwd"));
  CHECK_FALSE(find_program("./no-such-program"));
}

TEST_CASE("the grader's own environment is a list of assignments",
          "[program_search]") {
  const auto variables = own_environment();
  CHECK(std::ranges::find(variables, "PATH=" + environment_variable("PATH")) !=
        variables.end());
  CHECK(environment_variable("ATTNGRADE_NO_SUCH_VARIABLE").empty());
}

}  // namespace
}  // namespace grader
