// SPDX-License-Identifier: MIT
#include "grader/loader/module_trial.hpp"

#include <fstream>

#include "grader/loader/context.hpp"
#include "grader/loader/program_search.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

struct Trial {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  LoaderContext context;
  Interpreter interpreter;

  Trial() {
    context.scratch = folder.path();
    interpreter.executable = *find_program("python3");
  }

  std::string of(const std::string& module) const {
    return context.module_trials->failure(module, interpreter, context);
  }
};

TEST_CASE("a module that is imported is no excuse", "[module_trial]") {
  const Trial trial;
  CHECK(trial.of("json").empty());
  CHECK(trial.of("sys").empty());
}

TEST_CASE("a module that is not found says so", "[module_trial]") {
  const Trial trial;
  CHECK(trial.of("no_such_module_of_anybody") ==
        "ModuleNotFoundError: No module named 'no_such_module_of_anybody'");
}

TEST_CASE("what is no name is not tried", "[module_trial]") {
  const Trial trial;
  for (const char* name : {"", "-c", "a b", "os.path", "\n", "../x"}) {
    CHECK(trial.of(name).empty());
  }
}

TEST_CASE("a module is tried once", "[module_trial]") {
  Trial trial;
  const std::filesystem::path script = trial.folder.path() / "python";
  std::ofstream(script) << "#!/bin/sh\necho run >> " << script.string()
                        << ".runs\nexit 1\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  trial.interpreter.executable = script;
  CHECK(trial.of("torch") == "it ends the interpreter");
  CHECK(trial.of("torch") == "it ends the interpreter");
  CHECK(std::filesystem::file_size(script.string() + ".runs") == 4);
}

}  // namespace
}  // namespace grader
