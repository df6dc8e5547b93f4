// SPDX-License-Identifier: MIT
#include "grader/loader/judge.hpp"

#include <fstream>

#include "grader/loader/test_tasks.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

const std::vector<InterpreterPtr> interpreters = {
    std::make_shared<const Interpreter>(
        Interpreter{"/usr/bin/python3", "3.11.2", "", {}, {}}),
    std::make_shared<const Interpreter>(
        Interpreter{"/opt/venv/bin/python",
                    "3.12.1",
                    "2.4.0",
                    {},
                    {"einops", "numpy", "torch"},
                    {},
                    {"/srv/course"}}),
};

std::string imported(const std::string&) {
  return "";
}

std::variant<LoadFailure, CannotGrade> judge(
    const std::string& detail, const std::string& kind = "import",
    const TryModule& try_module = imported) {
  Program program;
  program.interpreter = interpreters[1];
  program.imports = {"math", "einops"};
  program.mentions_device = true;
  return judge_load_failure({kind, detail}, test_tasks(), program, interpreters,
                            try_module);
}

std::string missing(const std::string& module) {
  return "ModuleNotFoundError: No module named '" + module + "'\n  line 3";
}

TEST_CASE("a module of the candidate's own is the candidate's failure",
          "[judge]") {
  const auto judged = judge(missing("my_layers"));
  REQUIRE(std::holds_alternative<LoadFailure>(judged));
  CHECK(std::get<LoadFailure>(judged).detail == missing("my_layers"));
}

TEST_CASE("a library that the grader provides is its own failure", "[judge]") {
  const auto judged = judge(missing("scipy"));
  REQUIRE(std::holds_alternative<CannotGrade>(judged));
  CHECK(std::get<CannotGrade>(judged).kind == "environment");
  CHECK(std::get<CannotGrade>(judged).detail ==
        "needs scipy; none of the interpreters found has it\n"
        "    /usr/bin/python3 (Python 3.11.2, no numpy)\n"
        "    /opt/venv/bin/python (Python 3.12.1, numpy 2.4.0)\n"
        "    name another: --python PATH");
}

TEST_CASE("a card that is not there is nobody's failure", "[judge]") {
  const auto judged =
      judge("needs a CUDA device; none is here\nline 3", "device");
  REQUIRE(std::holds_alternative<CannotGrade>(judged));
  CHECK(std::get<CannotGrade>(judged).kind == "environment");
  CHECK(lacks_device("needs a CUDA device; none is here"));
  CHECK_FALSE(lacks_device("its constructor fails: needs a CUDA device"));
  CHECK(std::holds_alternative<LoadFailure>(
      judge("needs a CUDA device; none is here", "exception")));
}

Program program_with(bool mentions_device, const InterpreterPtr& interpreter) {
  Program program;
  program.mentions_device = mentions_device;
  program.interpreter = interpreter;
  return program;
}

TEST_CASE("a card is missed only by who can want one", "[judge]") {
  CHECK(may_lack_device(program_with(true, interpreters[1])));
  CHECK_FALSE(may_lack_device(program_with(false, interpreters[1])));
  CHECK_FALSE(may_lack_device(program_with(true, interpreters[0])));
  CHECK_FALSE(may_lack_device(program_with(true, nullptr)));
  const auto judged = judge_load_failure(
      {"device", "needs a CUDA device; none is here\nline 3"}, test_tasks(),
      program_with(false, interpreters[1]), interpreters, imported);
  REQUIRE(std::holds_alternative<LoadFailure>(judged));
  CHECK(std::get<LoadFailure>(judged).kind == "exception");
}

Description with_class(const std::string& problem,
                       const std::string& problem_kind) {
  Callable callable;
  callable.name = "Attention";
  callable.is_class = true;
  callable.problem = problem;
  callable.module = ModuleStudy{};
  callable.module->problem_kind = problem_kind;
  return {.callables = {callable}};
}

TEST_CASE("excuses of a class are looked into", "[judge]") {
  const Program careful = program_with(true, interpreters[1]);
  const Program forger = program_with(false, interpreters[1]);
  const std::string device = "needs a CUDA device; none is here";
  const auto problem = [](const Program& program, const std::string& text,
                          const TryModule& try_module = imported) {
    Description description = with_class(text, "");
    refute_excuses(program, try_module, description);
    return description.callables.front().problem;
  };
  CHECK(lacks_device(problem(careful, device)));
  CHECK_FALSE(lacks_device(problem(forger, device)));
  CHECK(lacks_provided_module(problem(forger, missing("scipy")), test_tasks()));
  CHECK_FALSE(
      lacks_provided_module(problem(forger, missing("numpy")), test_tasks()));
  CHECK(lacks_provided_module(
      problem(forger, missing("numpy"),
              [](const std::string&) { return "No module named 'numpy'"; }),
      test_tasks()));
  CHECK(problem(forger, "its constructor fails") == "its constructor fails");
  CHECK(problem(forger, "").empty());
}

TEST_CASE("an environment that is blamed for a class is one that can be",
          "[judge]") {
  const auto kind = [](const Program& program, const char* said) {
    Description description = with_class("", said);
    refute_excuses(program, imported, description);
    return description.callables.front().module->problem_kind;
  };
  const Program careful = program_with(true, interpreters[1]);
  const Program forger = program_with(false, interpreters[1]);
  Program layers = forger;
  layers.imports = {"keras"};
  CHECK(kind(careful, "environment") == "environment");
  CHECK(kind(layers, "environment") == "environment");
  CHECK(kind(forger, "environment") == "constructor");
  CHECK(kind(forger, "unsupported") == "unsupported");
}

TEST_CASE("a framework without graded tensors is told as such", "[judge]") {
  const auto judged = judge(missing("tensorflow"));
  REQUIRE(std::holds_alternative<CannotGrade>(judged));
  CHECK(std::get<CannotGrade>(judged).kind == "unsupported");
  CHECK(std::get<CannotGrade>(judged).detail.find("needs tensorflow:") == 0);
}

TEST_CASE("a failure that only claims a missing library stays a failure",
          "[judge]") {
  CHECK(std::holds_alternative<LoadFailure>(judge(missing("numpy"))));
  CHECK(std::holds_alternative<LoadFailure>(judge(missing("scipy.nothing"))));
  CHECK(std::holds_alternative<LoadFailure>(judge(missing(""))));
  CHECK(std::holds_alternative<LoadFailure>(judge("No module named 'scipy")));
  CHECK(std::holds_alternative<LoadFailure>(judge(missing("scipy"), "syntax")));
}

TEST_CASE("a library that only a cell lacks is the environment's failure",
          "[judge]") {
  const auto lacks_numpy = [](const std::string& module) {
    return module == "numpy" ? "No module named 'numpy'" : "";
  };
  const auto judged = judge(missing("numpy"), "import", lacks_numpy);
  REQUIRE(std::holds_alternative<CannotGrade>(judged));
  CHECK(std::get<CannotGrade>(judged).kind == "environment");
  CHECK(
      std::get<CannotGrade>(judged).detail ==
      "needs numpy, which /opt/venv/bin/python has, and cannot import where "
      "submissions run: No module named 'numpy'\n"
      "    not shown to submissions, for it holds what is none of theirs: "
      "/srv/course\n"
      "    install it into the interpreter's own site-packages, not by -e, or "
      "name another interpreter: --python PATH");
  // Only what the interpreter has is tried.
  CHECK(std::holds_alternative<LoadFailure>(
      judge(missing("my_layers"), "import", [](const std::string& module) {
        return module == "my_layers" ? "No module named 'my_layers'" : "";
      })));
  CHECK(std::holds_alternative<LoadFailure>(
      judge(missing("numpy"), "syntax", lacks_numpy)));
}

TEST_CASE(
    "a library that breaks at its own import is tried by the file's words",
    "[judge]") {
  const auto einops_is_broken = [](const std::string& module) {
    return module == "einops" ? "ImportError: libx.so.3: cannot open" : "";
  };
  const auto judged = judge("libx.so.3: cannot open\nTraceback ...", "import",
                            einops_is_broken);
  REQUIRE(std::holds_alternative<CannotGrade>(judged));
  CHECK(std::get<CannotGrade>(judged).detail.find("needs einops, which") == 0);
  CHECK(std::holds_alternative<LoadFailure>(
      judge("libx.so.3: cannot open\nTraceback ...")));
}

TEST_CASE("a header that lies beside the file is told", "[judge]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path file = folder.path() / "attention.c";
  std::ofstream(folder.path() / "softmax.h") << "\n";
  const auto missed = [&](const std::string& text) {
    return missed_neighbour({"compile", "does not compile:\n" + text}, file);
  };
  CHECK(missed("a.c:1:10: fatal error: softmax.h: No such file or directory\n"
               "    1 | ...") == "softmax.h");
  CHECK(missed("a.c:1:10: fatal error: 'softmax.h' file not found") ==
        "softmax.h");
  CHECK(missed("fatal error: other.h: No such file or directory").empty());
  CHECK(missed("fatal error: ../" + folder.path().filename().string() +
               "/softmax.h: No such file or directory")
            .empty());
  CHECK(missed("fatal error: ").empty());
  CHECK(missed("error: softmax.h: No such file").empty());
}

TEST_CASE("a module that lies beside the file is told", "[judge]") {
  const TemporaryFolder folder(temporary_root(), "attngrade-test");
  const std::filesystem::path file = folder.path() / "attention.py";
  const auto missed = [&](const std::string& module) {
    return missed_neighbour({"import", "No module named '" + module + "'\n..."},
                            file);
  };
  std::ofstream(folder.path() / "helper.py") << "x = 1\n";
  std::filesystem::create_directory(folder.path() / "tools");
  CHECK(missed("helper") == "helper.py");
  CHECK(missed("tools") == "tools/");
  CHECK(missed("other").empty());
  CHECK(missed("../" + folder.path().filename().string()).empty());
  CHECK(missed("").empty());
  CHECK(missed_neighbour({"exception", "No module named 'helper'"}, file)
            .empty());
}

}  // namespace
}  // namespace grader
