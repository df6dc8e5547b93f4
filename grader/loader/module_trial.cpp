// SPDX-License-Identifier: MIT
#include "grader/loader/module_trial.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>

#include "grader/loader/context.hpp"
#include "grader/loader/staging.hpp"
#include "grader/system/command.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// The name comes out of a message: nothing but a name is passed on.
bool is_name(const std::string& module) {
  return !module.empty() && std::ranges::all_of(module, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

std::string try_import(const std::string& module,
                       const Interpreter& interpreter,
                       const LoaderContext& context) {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(120);
  const Staging staging = stage_nothing(context.scratch);
  const Program program =
      make_program(staging, Language::python, context.isolation);
  Confinement confinement = program.confinement;
  confinement.shown = interpreter.places;
  const SpawnRequest request = command_request(
      {interpreter.executable.string(), "-s", "-B", "-c",
       "import importlib, sys; importlib.import_module(sys.argv[1])", module},
      program.environment, program.working_directory, limits);
  const CommandResult result =
      run_command(confine(request, context.isolation, confinement), limits);
  if (result.succeeded()) {
    return "";
  }
  const std::string said = one_line(last_line(result.standard_error));
  return said.empty() ? "it ends the interpreter" : said;
}

}  // namespace

std::string ModuleTrials::failure(const std::string& module,
                                  const Interpreter& interpreter,
                                  const LoaderContext& context) {
  if (!is_name(module)) {
    return "";
  }
  const std::scoped_lock lock(mutex_);
  const std::pair key(interpreter.executable, module);
  const auto known = known_.find(key);
  return known != known_.end()
             ? known->second
             : known_[key] = try_import(module, interpreter, context);
}

}  // namespace grader
