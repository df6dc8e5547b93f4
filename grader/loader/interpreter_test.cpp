// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/command.hpp"
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
  Interpreters interpreters(shim);
  const auto found = interpreters.all();
  REQUIRE_FALSE(found.empty());
  CHECK(found[0]->version.find("3.") == 0);
  CHECK(found[0]->executable.is_absolute());
  CHECK(found[0]->executable != shim);
  CHECK(found[0]->modules.contains("json"));
  CHECK(found[0]->modules.contains("sys"));
}

TEST_CASE("a shim is run once, and found again by what is behind it",
          "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path runs = folder.path() / "runs";
  const auto shim =
      script(folder, "echo run >> " + runs.string() + "\nexec " +
                         find_program("python3")->string() + " \"$@\"\n");
  Interpreters interpreters(shim);
  const std::filesystem::path likely = interpreters.likely();
  CHECK(likely.is_absolute());
  CHECK(likely != shim);
  CHECK(interpreters.all().front()->executable == likely);
  CHECK(interpreters.likely() == likely);
  std::ifstream file(runs);
  CHECK(std::count(std::istreambuf_iterator<char>(file), {}, '\n') == 1);
}

TEST_CASE("a shim that does not answer is run once, too", "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path runs = folder.path() / "runs";
  const auto shim =
      script(folder, "echo run >> " + runs.string() + "\nexit 1\n");
  Interpreters interpreters(shim);
  CHECK(interpreters.likely().empty());
  CHECK_THROWS_AS(interpreters.all(), Error);
  std::ifstream file(runs);
  CHECK(std::count(std::istreambuf_iterator<char>(file), {}, '\n') == 1);
}

TEST_CASE("an interpreter that is asked compiles the host for all others",
          "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  std::ofstream(folder.path() / "good.py") << "x = 1\n";
  std::ofstream(folder.path() / "notes.txt") << "no Python";
  std::ofstream(folder.path() / "zz_newer.py") << "x = = 1\n";
  Interpreters interpreters(*find_program("python3"), {}, folder.path());
  interpreters.all();
  std::vector<std::string> compiled;
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() / "__pycache__")) {
    compiled.push_back(entry.path().filename().string());
  }
  REQUIRE(compiled.size() == 1);
  CHECK(compiled.front().starts_with("good.cpython-"));
}

TEST_CASE("a named interpreter that is none is a usage error",
          "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const auto message = [](const std::filesystem::path& path) {
    try {
      Interpreters(path).all();
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

using Paths = std::vector<std::filesystem::path>;

TEST_CASE(
    "folders that are added are shown, but no homes and nothing of others",
    "[interpreter]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path& top = folder.path();
  for (const char* name : {"lib/inner", "course/fixtures", "work/ana"}) {
    std::filesystem::create_directories(top / name);
  }
  std::filesystem::create_directory_symlink(top / "course", top / "alias");
  Interpreter interpreter;
  interpreter.places = {"/opt/python/lib"};
  hold_back({"/", "/tmp", environment_variable("HOME"), "/opt/python/lib/x",
             top / "lib", top / "course", top / "alias", top / "work/ana",
             top / "work", "/opt/python/library"},
            {top / "course/fixtures", top / "work"}, interpreter);
  CHECK(interpreter.places ==
        Paths{"/opt/python/lib", top / "lib", "/opt/python/library"});
  CHECK(interpreter.held_back ==
        Paths{"/", "/tmp", environment_variable("HOME"), top / "course",
              top / "alias", top / "work/ana", top / "work"});
}

TEST_CASE("what a .pth file or an editable install adds is found",
          "[interpreter]") {
  const auto python = find_program("python3");
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path& top = folder.path();
  const auto made = run_command(
      {python->string(), "-m", "venv", "--without-pip", (top / "env").string()},
      {"PATH=/usr/bin:/bin"}, "/");
  REQUIRE(made.succeeded());
  std::filesystem::path packages;
  for (const auto& version :
       std::filesystem::directory_iterator(top / "env/lib")) {
    packages = version.path() / "site-packages";
  }
  for (const char* name : {"plain", "mapped/src/pkg", "closed"}) {
    std::filesystem::create_directories(top / name);
  }
  std::ofstream(top / "plain" / "course_tools.py") << "x = 1\n";
  std::ofstream(top / "mapped" / "one.py") << "x = 1\n";
  std::ofstream(packages / "a.pth") << (top / "plain").string() << "\n"
                                    << (top / "closed").string() << "\n"
                                    << "import __editable___pkg_finder; "
                                       "__editable___pkg_finder.install()\n";
  // As setuptools writes it.
  std::ofstream(packages / "__editable___pkg_finder.py")
      << "import sys\nMAPPING = {'pkg': '" << (top / "mapped/src/pkg").string()
      << "', 'one': '" << (top / "mapped/one").string()
      << "'}\nNAMESPACES = {}\nclass _EditableFinder:\n"
         "    @classmethod\n    def find_spec(cls, *args): return None\n"
         "def install(): sys.meta_path.append(_EditableFinder)\n";
  Interpreters interpreters(top / "env/bin/python", {top / "closed"});
  const InterpreterPtr found = interpreters.all().front();
  const auto shows = [&](const char* name) {
    return std::ranges::count(found->places, top / name) == 1;
  };
  CHECK(shows("plain"));
  CHECK(shows("mapped/src/pkg"));
  CHECK(shows("mapped/one.py"));
  CHECK_FALSE(shows("closed"));
  CHECK(found->held_back == Paths{top / "closed"});
  for (const char* module : {"pkg", "one", "course_tools"}) {
    CHECK(found->modules.contains(module));
  }
}

TEST_CASE("the search names no interpreter twice", "[interpreter]") {
  Interpreters interpreters("");
  const auto found = interpreters.all();
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(found[i]->executable != found[j]->executable);
    }
  }
}

InterpreterPtr interpreter(const std::string& path, const std::string& numpy,
                           const std::set<std::string>& modules) {
  return std::make_shared<const Interpreter>(
      Interpreter{path, "3.11.2", numpy, {}, modules});
}

TEST_CASE("the first with numpy and all modules is chosen", "[interpreter]") {
  Interpreters interpreters({interpreter("/a", "", {"torch", "jax"}),
                             interpreter("/b", "2.4.0", {"einops"}),
                             interpreter("/c", "1.24.4", {"torch"}),
                             interpreter("/d", "2.4.0", {"torch", "einops"})});
  const auto chosen = [&](const std::vector<std::string>& modules) {
    return interpreters.choose(modules)->executable.string();
  };
  CHECK(chosen({}) == "/b");
  CHECK(chosen({"einops"}) == "/b");
  CHECK(chosen({"torch"}) == "/c");
  CHECK(chosen({"einops", "torch"}) == "/d");
  CHECK(chosen({"jax"}) == "/b");           // nobody has it
  CHECK(chosen({"jax", "torch"}) == "/c");  // the most of it
}

TEST_CASE("without numpy none is chosen", "[interpreter]") {
  CHECK(Interpreters(std::vector<InterpreterPtr>()).choose({}) == nullptr);
  CHECK(Interpreters({interpreter("/a", "", {"torch"})}).choose({"torch"}) ==
        nullptr);
}

TEST_CASE("an interpreter is shown with what tensors it has", "[interpreter]") {
  const Interpreter shown{
      "/a", "3.11.2", "1.24.4", {{"einops", "0.8"}, {"torch", "2.1.0"}}, {}};
  CHECK(to_string(shown) == "/a (Python 3.11.2, numpy 1.24.4, torch 2.1.0)");
}

TEST_CASE("what is missing comes with the way out", "[interpreter]") {
  CHECK(missing_module_text("numpy", {}) ==
        "needs Python 3 with numpy; no interpreter was found. Install one, or "
        "name it: --python PATH");
  CHECK(missing_module_text("numpy", {interpreter("/a", "", {})}) ==
        "needs numpy; the interpreter does not have it\n"
        "    /a (Python 3.11.2, no numpy)\n"
        "    name another: --python PATH");
}

}  // namespace
}  // namespace grader
