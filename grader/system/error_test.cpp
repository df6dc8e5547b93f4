// SPDX-License-Identifier: MIT
#include "grader/system/error.hpp"

#include <cerrno>

#include "tests/catch.hpp"

using namespace grader;

TEST_CASE("an errno value reads as the end of a sentence", "[error]") {
  CHECK(errno_text(ENOENT) == ": No such file or directory");
}

TEST_CASE("an error knows who is to blame", "[error]") {
  const Error error(Blame::environment, "cannot start python3: cause");
  CHECK(error.blame() == Blame::environment);
  CHECK(std::string(error.what()) == "cannot start python3: cause");
}
