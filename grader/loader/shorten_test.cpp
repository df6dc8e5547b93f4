// SPDX-License-Identifier: MIT
#include "grader/loader/shorten.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("folders of the grader are taken out of a text", "[shorten]") {
  CHECK(without_folders("/t/a/x.c:1: /t/a/x.c, /t/b/y", {"/t/a", "/t"}) ==
        "x.c:1: x.c, b/y");
  CHECK(without_folders("a/b", {""}) == "a/b");
  CHECK(without_folders("", {"/t"}).empty());
}

TEST_CASE("a traceback names the file as it was handed in", "[shorten]") {
  Program program;
  program.submission = "/t/submission-1/source/ana.py";
  program.working_directory = "/t/submission-1/work";
  CHECK(without_staging("File \"/t/submission-1/source/ana.py\", line 3",
                        program) == "File \"ana.py\", line 3");
}

}  // namespace
}  // namespace grader
