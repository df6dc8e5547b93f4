// SPDX-License-Identifier: MIT
#include "grader/lesson/lesson_documents.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("a script gets other settings in its one line",
          "[lesson-documents]") {
  CHECK(with_settings("import x\nn, seed = 3, 0\nprint(n)\n", "n, seed",
                      {5, 18446744073709551615U}) ==
        "import x\nn, seed = 5, 18446744073709551615\nprint(n)\n");
}

}  // namespace
}  // namespace grader
