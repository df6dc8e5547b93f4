// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include <nlohmann/json.hpp>

#include "grader/loader/program_search.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

// numpy is imported, for an installed one can be broken; the others would cost
// seconds each.
constexpr const char* question = R"(
import json, sys
from importlib.util import find_spec
try:
    import numpy
    numpy_version = str(numpy.__version__)
except Exception:
    numpy_version = ""
names = "torch jax tensorflow scipy einops matplotlib".split()
print()
print(json.dumps({
    "executable": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "numpy": numpy_version,
    "modules": [name for name in names if find_spec(name)],
}))
)";

std::optional<Interpreter> read_answer(std::string text) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  const std::size_t last_line = text.rfind('\n');
  const auto answer = nlohmann::json::parse(
      last_line == std::string::npos ? text : text.substr(last_line + 1),
      nullptr, false);
  try {
    return Interpreter{answer.at("executable").get<std::string>(),
                       answer.at("version").get<std::string>(),
                       answer.at("numpy").get<std::string>(),
                       answer.at("modules").get<std::vector<std::string>>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<Interpreter> ask(const std::filesystem::path& program) {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(30);
  try {
    const CommandResult result =
        run_command({program.string(), "-I", "-B", "-c", question},
                    own_environment(), "/", limits);
    return result.succeeded() ? read_answer(result.standard_output)
                              : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // not a program of this machine: as good as absent
  }
}

Interpreter ask_named(const std::filesystem::path& named) {
  const auto program = find_program(named.string());
  const auto interpreter = program ? ask(*program) : std::nullopt;
  if (!interpreter) {
    const char* cause =
        program ? "it does not answer as Python 3 does" : "no such program";
    throw Error(Blame::usage, "cannot use --python " +
                                  one_line(named.string()) + ": " + cause);
  }
  return *interpreter;
}

std::vector<std::filesystem::path> candidates() {
  std::vector<std::filesystem::path> programs;
  const std::string environment = environment_variable("VIRTUAL_ENV");
  for (const std::string& name :
       {environment.empty() ? "" : environment + "/bin/python",
        environment_variable("ATTNGRADE_PYTHON"), std::string("python3"),
        std::string("/usr/bin/python3")}) {
    if (const auto program = find_program(name)) {
      programs.push_back(*program);
    }
  }
  return programs;
}

}  // namespace

std::vector<Interpreter> find_interpreters(const std::filesystem::path& named,
                                           Search search) {
  if (!named.empty()) {
    return {ask_named(named)};
  }
  std::vector<Interpreter> found;
  for (const auto& program : candidates()) {
    const auto interpreter = ask(program);
    const bool is_new =
        interpreter && std::ranges::none_of(found, [&](const auto& other) {
          return other.executable == interpreter->executable;
        });
    if (!is_new) {
      continue;
    }
    found.push_back(*interpreter);
    if (search == Search::first_usable && !interpreter->numpy.empty()) {
      break;
    }
  }
  return found;
}

const Interpreter* usable_interpreter(
    const std::vector<Interpreter>& interpreters) {
  const auto found =
      std::ranges::find_if(interpreters, [](const Interpreter& interpreter) {
        return !interpreter.numpy.empty();
      });
  return found == interpreters.end() ? nullptr : &*found;
}

std::string to_string(const Interpreter& interpreter) {
  return interpreter.executable.string() + " (Python " + interpreter.version +
         (interpreter.numpy.empty() ? ", no numpy)"
                                    : ", numpy " + interpreter.numpy + ")");
}

std::string missing_module_text(const std::string& module,
                                const std::vector<Interpreter>& interpreters) {
  if (interpreters.empty()) {
    return "needs Python 3 with " + module +
           "; no interpreter was found. Install one, or name it: --python PATH";
  }
  std::string text =
      "needs " + module + "; " +
      (interpreters.size() == 1 ? "the interpreter does not have it"
                                : "none of the interpreters found has it");
  for (const Interpreter& interpreter : interpreters) {
    text += "\n    " + to_string(interpreter);
  }
  return text + "\n    name another: --python PATH";
}

}  // namespace grader
