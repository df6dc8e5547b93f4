// SPDX-License-Identifier: MIT
#include "grader/loader/inspection.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("imports are those of the file and of the files that it uses",
          "[inspection]") {
  const std::vector<FileInspection> files = {
      {"main.py", {"math", "torch"}, {"core"}, {"attention"}},
      {"core/ops.py", {"einops"}, {"utils"}, {}},
      {"core/utils.py", {"numpy"}, {"core"}, {}},
      {"plots.py", {"matplotlib"}, {}, {}}};
  CHECK(all_imports(files, "main.py") ==
        std::vector<std::string>{"einops", "math", "numpy", "torch"});
  CHECK(all_imports(files, "plots.py") ==
        std::vector<std::string>{"matplotlib"});
  CHECK(all_imports(files, "nothing.py").empty());
}

TEST_CASE("a file is used under its own name or that of its folder",
          "[inspection]") {
  const FileInspection file{"main.py", {}, {"helpers"}, {}};
  CHECK(uses_file(file, "helpers.py"));
  CHECK(uses_file(file, "helpers/softmax.py"));
  CHECK(uses_file(file, "src/helpers.py"));
  CHECK_FALSE(uses_file(file, "helpers2.py"));
}

}  // namespace
}  // namespace grader
