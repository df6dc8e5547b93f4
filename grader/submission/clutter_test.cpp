// SPDX-License-Identifier: MIT
#include "grader/submission/clutter.hpp"

#include <string>

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("hidden files, caches, environments and builds are clutter",
          "[clutter]") {
  for (const char* name : {".git",
                           ".git/config",
                           ".ipynb_checkpoints/a-checkpoint.ipynb",
                           ".DS_Store",
                           "._attention.py",
                           "sub/._attention.py",
                           "__MACOSX/ana/a.py",
                           "__pycache__",
                           "sub/__pycache__/a.py",
                           "a.pyc",
                           "node_modules/x/a.js",
                           "venv",
                           "env/bin/python",
                           ".venv/a.py",
                           "lib/python3/site-packages/a.py",
                           "attn.egg-info",
                           "dist/a.py",
                           "build/lib/a.py",
                           "cmake-build-debug/a.c",
                           "sub/Icon\r"}) {
    INFO(name);
    CHECK(is_clutter(name));
  }
}

TEST_CASE("what only resembles clutter is none", "[clutter]") {
  for (const char* name :
       {"attention.py", "sub/attention.py", "env.py", "venv.py", "build.py",
        "dist.c", "environment/a.py", "my__pycache__/a.py", "a.py.txt",
        "README.md", "caf\xe9.py", "", "macosx/a.py"}) {
    INFO(name);
    CHECK_FALSE(is_clutter(name));
  }
}

TEST_CASE("tests and set-up files are told by their names", "[clutter]") {
  for (const char* name :
       {"test_attention.py", "attention_test.py", "tests/helper.py",
        "test/helper.py", "sub/tests/deep/a.py", "conftest.py",
        "sub/conftest.py", "setup.py", "test_attention.c", "attention_test.cpp",
        "test_a.cc", "test.c", "src/tests.py"}) {
    INFO(name);
    CHECK(is_test_file(name));
    CHECK_FALSE(is_clutter(name));
  }
}

TEST_CASE("what only resembles a test is none", "[clutter]") {
  for (const char* name :
       {"attention.py", "tests", "contest.py", "latest_a.py", "testing/a.py",
        "test_notes.md", "setup.cfg", "", "/"}) {
    INFO(name);
    CHECK_FALSE(is_test_file(name));
  }
}

}  // namespace
}  // namespace grader
