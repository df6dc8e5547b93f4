// SPDX-License-Identifier: MIT
#include "grader/loader/inspection.hpp"

#include <algorithm>
#include <fstream>

#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// A reader that is a script; `python` in it is the real one. A file `once` in
// its working directory is there from its first run on.
struct Desk {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  InspectionRequest request;

  explicit Desk(const std::string& script = "python \"$@\"") {
    for (const char* part : {"source", "notes"}) {
      fs::create_directory(folder.path() / part);
    }
    const fs::path program = folder.path() / "reader";
    std::ofstream(program) << "#!/bin/sh\npython() { "
                           << find_program("python3")->string()
                           << " \"$@\"; }\nonce() { test ! -e once && : > "
                              "once; }\n"
                           << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    request.interpreter.executable = program;
    request.host =
        std::string(PROJECT_SOURCE_DIR) + "/grader/worker/attngrade_host";
    request.root = folder.path() / "source";
    request.scratch = folder.path() / "notes";
  }

  void add(const std::string& name, const std::string& text) {
    std::ofstream(request.root / name) << text;
    request.names.push_back(name);
  }
};

using Names = std::vector<std::string>;

TEST_CASE("files are read by an interpreter, those with errors as empty",
          "[inspection]") {
  Desk desk;
  desk.add("a.py", "import torch\ndef attention(q, k, v): pass\n");
  desk.add("b.py", "def broken(:\n");
  desk.add("c.py", "import a\n");
  const auto files = inspect_files(desk.request);
  REQUIRE(files.size() == 3);
  CHECK(files[0].imports == Names{"torch"});
  CHECK(files[0].definitions == Names{"attention"});
  CHECK(files[1].imports.empty());
  CHECK(files[1].cut.empty());
  CHECK(files[2].uses == Names{"a"});
}

TEST_CASE("words for graphics cards are found, wherever they stand",
          "[inspection]") {
  Desk desk;
  desk.add("call.py", "x = y.cuda()\n");
  desk.add("text.py", "x = y.to('CUDA:0')\n");
  desk.add("keyword.py", "f(device=d)\n");
  desk.add("jax.py", "import jax\njax.devices('gpu')\n");
  desk.add("user.py", "import call\n");
  desk.add("none.py", "import torch\nx = torch.ones(3)  # no cuda\n");
  const auto files = inspect_files(desk.request);
  for (const char* name :
       {"call.py", "text.py", "keyword.py", "jax.py", "user.py"}) {
    INFO(name);
    CHECK(mention_device(files, name));
  }
  CHECK_FALSE(mention_device(files, "none.py"));
  CHECK_FALSE(mention_device(files, "nothing.py"));
}

TEST_CASE("a reader that somebody ends is started again", "[inspection]") {
  for (const char* death :
       {"once && { echo ready; kill -KILL $$; }", "once && kill -TERM $$",
        "once && exit 1", "once && { echo noise; kill -SEGV $$; }"}) {
    INFO(death);
    Desk desk(std::string(death) + "\npython \"$@\"");
    desk.add("a.py", "import torch\n");
    const auto files = inspect_files(desk.request);
    REQUIRE(files.size() == 1);
    CHECK(files[0].imports == Names{"torch"});
    CHECK(files[0].cut.empty());
  }
}

TEST_CASE("a reader that always ends so is the environment's failure",
          "[inspection]") {
  for (const char* death :
       {"echo ready; kill -KILL $$", "exit 0", "echo ready; kill -BUS $$"}) {
    INFO(death);
    Desk desk(death);
    desk.add("a.py", "import torch\n");
    CHECK_THROWS_AS(inspect_files(desk.request), Error);
  }
  Desk desk;
  desk.add("a.py", "x = 1\n");
  desk.request.interpreter.executable = "/no/such/python";
  CHECK_THROWS_WITH(inspect_files(desk.request),
                    Catch::Matchers::Contains("/no/such/python"));
}

TEST_CASE("a bomb for the parser takes nothing from the other files",
          "[inspection]") {
  for (const char* death :
       {"kill -SEGV $$", "kill -ABRT $$", "kill -XCPU $$", "exit 3"}) {
    INFO(death);
    // The number of the first file is the last argument but one.
    Desk desk(
        std::string("case \"$*\" in *' 0 {}') python \"$@\" | head -n 2; ") +
        death + ";; esac\npython \"$@\"");
    desk.add("a.py", "import numpy\n");
    desk.add("bomb.py",
             "if True:\n    import torch; from jax.numpy import exp\n");
    desk.add("c.py", "import einops\n");
    const auto files = inspect_files(desk.request);
    REQUIRE(files.size() == 3);
    CHECK(files[0].cut.empty());
    CHECK(files[1].cut.find("the parser came to no end") == 0);
    CHECK(files[1].imports == Names{"exp", "jax", "torch"});
    CHECK(files[1].definitions.empty());
    CHECK(files[2].imports == Names{"einops"});
    CHECK(files[2].cut.empty());
  }
}

TEST_CASE("many bombs do not take for ever", "[inspection]") {
  Desk desk("echo ready; mkdir run-$$; kill -SEGV $$");
  for (int i = 0; i < 20; ++i) {
    desk.add("a" + std::to_string(i) + ".py", "from torch import nn\n");
  }
  const auto files = inspect_files(desk.request);
  REQUIRE(files.size() == 20);
  for (const FileInspection& file : files) {
    CHECK_FALSE(file.cut.empty());
    CHECK(file.imports == Names{"nn", "torch"});
  }
  const auto left = std::count_if(
      fs::directory_iterator(desk.request.scratch), fs::directory_iterator(),
      [](const fs::directory_entry& entry) { return entry.is_directory(); });
  CHECK(left == 3);
}

TEST_CASE("what is printed in place of an answer is none", "[inspection]") {
  for (const char* line : {"nonsense", "{}", "[1]", "{\"imports\": 3}"}) {
    INFO(line);
    Desk desk("echo ready; echo '" + std::string(line) + "'");
    desk.add("a.py", "import torch\n");
    const auto files = inspect_files(desk.request);
    REQUIRE(files.size() == 1);
    CHECK(files[0].imports == Names{"torch"});
    CHECK_FALSE(files[0].cut.empty());
  }
}

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
