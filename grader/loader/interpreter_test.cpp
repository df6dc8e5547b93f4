// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <fstream>

#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

std::filesystem::path script(const TemporaryFolder& folder,
                             const std::string& text) {
  std::filesystem::path path = folder.path() / "python";
  std::ofstream(path) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST_CASE("a named interpreter is asked, through a shim too", "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const auto python = find_program("python3");
  REQUIRE(python);
  const auto shim =
      script(folder, "echo noise\nexec " + python->string() + " \"$@\"\n");
  const auto found = find_interpreters(shim, Search::first_usable);
  REQUIRE(found.size() == 1);
  CHECK(found[0].version.find("3.") == 0);
  CHECK(found[0].executable.is_absolute());
  CHECK(found[0].executable != shim);
}

TEST_CASE("a named interpreter that is none is a usage error",
          "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const auto message = [](const std::filesystem::path& path) {
    try {
      find_interpreters(path, Search::all);
    } catch (const Error& error) {
      CHECK(error.blame() == Blame::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message("/no/such/python") ==
        "cannot use --python /no/such/python: no such program");
  for (const char* answer :
       {"echo hello", "echo '{}'", "echo '[1'", "exit 3",
        "echo '{\"executable\": 3, \"version\": \"3\"}'"}) {
    CHECK(message(script(folder, answer)).find("does not answer") !=
          std::string::npos);
  }
}

TEST_CASE("the search names no interpreter twice", "[interpreter]") {
  const auto found = find_interpreters("", Search::all);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(found[i].executable != found[j].executable);
    }
  }
}

TEST_CASE("the first with numpy is used", "[interpreter]") {
  const std::vector<Interpreter> found = {{"/a", "3.11.2", "", {}},
                                          {"/b", "3.12.0", "2.4.0", {}}};
  REQUIRE(usable_interpreter(found) != nullptr);
  CHECK(usable_interpreter(found)->executable == "/b");
  CHECK(usable_interpreter({}) == nullptr);
  CHECK(usable_interpreter({found[0]}) == nullptr);
}

TEST_CASE("what is missing comes with the way out", "[interpreter]") {
  CHECK(missing_module_text("numpy", {}) ==
        "needs Python 3 with numpy; no interpreter was found. Install one, or "
        "name it: --python PATH");
  CHECK(missing_module_text("numpy", {{"/a", "3.11.2", "", {}}}) ==
        "needs numpy; the interpreter does not have it\n"
        "    /a (Python 3.11.2, no numpy)\n"
        "    name another: --python PATH");
}

}  // namespace
}  // namespace grader
