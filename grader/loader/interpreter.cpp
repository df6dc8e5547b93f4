// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/loader/program_search.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

// numpy is imported, for an installed one can be broken; the others would cost
// seconds each. Their versions are those of their distributions.
constexpr const char* question = R"(
import json, os, pkgutil, sys
try:
    import numpy
    numpy_version = str(numpy.__version__)
except Exception:
    numpy_version = ""
modules = set(sys.builtin_module_names)
modules.update(module.name for module in pkgutil.iter_modules())
libraries = {}
try:
    from importlib.metadata import version
except ImportError:
    version = None
for name in "torch jax scipy einops".split():
    if name in modules:
        try:
            libraries[name] = version(name)
        except Exception:
            libraries[name] = "of unknown version"
# Not whole prefixes: one may be somebody's home.
places = set()
for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix,
               sys.base_exec_prefix):
    for part in "bin lib lib64 pyvenv.cfg".split():
        places.add(os.path.join(prefix, part))
for folder in sys.path:
    if os.path.basename(folder) in ("site-packages", "dist-packages"):
        places.add(folder)
link = sys.executable
while os.path.islink(link):
    places.add(link)
    link = os.path.join(os.path.dirname(link), os.readlink(link))
places.add(link)
places.update([os.path.realpath(place) for place in places])
for store in ("/nix/store", "/gnu/store"):
    if any(place.startswith(store) for place in places):
        places.add(store)
print()
print(json.dumps({
    "executable": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "numpy": numpy_version,
    "libraries": libraries,
    "modules": sorted(modules),
    "places": sorted(filter(os.path.exists, map(os.path.normpath, places))),
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
    return Interpreter{
        answer.at("executable").get<std::string>(),
        answer.at("version").get<std::string>(),
        answer.at("numpy").get<std::string>(),
        answer.at("libraries").get<std::map<std::string, std::string>>(),
        answer.at("modules").get<std::set<std::string>>(),
        answer.at("places").get<std::vector<std::filesystem::path>>()};
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

InterpreterPtr ask_named(const std::filesystem::path& named) {
  const auto program = find_program(named.string());
  const auto interpreter = program ? ask(*program) : std::nullopt;
  if (!interpreter) {
    const char* cause =
        program ? "it does not answer as Python 3 does" : "no such program";
    throw Error(Blame::usage, "cannot use --python " +
                                  one_line(named.string()) + ": " + cause);
  }
  return std::make_shared<const Interpreter>(*interpreter);
}

std::deque<std::filesystem::path> usual_places() {
  std::deque<std::filesystem::path> programs;
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

std::size_t count_modules(const Interpreter& interpreter,
                          const std::vector<std::string>& modules) {
  return static_cast<std::size_t>(
      std::ranges::count_if(modules, [&](const std::string& module) {
        return interpreter.modules.contains(module);
      }));
}

}  // namespace

Interpreters::Interpreters(const std::filesystem::path& named) {
  if (named.empty()) {
    unasked_ = usual_places();
  } else {
    found_.push_back(ask_named(named));
  }
}

Interpreters::Interpreters(std::vector<InterpreterPtr> known)
    : found_(std::move(known)) {}

// False: there is none left.
bool Interpreters::ask_next() {
  while (!unasked_.empty()) {
    const std::filesystem::path program = unasked_.front();
    unasked_.pop_front();
    const auto interpreter = ask(program);
    const bool is_new =
        interpreter && std::ranges::none_of(found_, [&](const auto& other) {
          return other->executable == interpreter->executable;
        });
    if (is_new) {
      found_.push_back(std::make_shared<const Interpreter>(*interpreter));
      return true;
    }
  }
  return false;
}

InterpreterPtr Interpreters::choose(const std::vector<std::string>& modules) {
  const std::scoped_lock lock(mutex_);
  InterpreterPtr best;
  std::size_t most = 0;
  for (std::size_t i = 0; i < found_.size() || ask_next(); ++i) {
    const InterpreterPtr& interpreter = found_[i];
    if (interpreter->numpy.empty()) {
      continue;
    }
    const std::size_t count = count_modules(*interpreter, modules);
    if (best == nullptr || count > most) {
      best = interpreter;
      most = count;
    }
    if (count == modules.size()) {
      break;
    }
  }
  return best;
}

std::vector<InterpreterPtr> Interpreters::all() {
  const std::scoped_lock lock(mutex_);
  while (ask_next()) {
  }
  return found_;
}

std::string to_string(const Interpreter& interpreter) {
  std::string text =
      interpreter.executable.string() + " (Python " + interpreter.version +
      (interpreter.numpy.empty() ? ", no numpy"
                                 : ", numpy " + interpreter.numpy);
  for (const char* name : {"torch", "jax"}) {
    const auto found = interpreter.libraries.find(name);
    if (found != interpreter.libraries.end()) {
      text += std::string(", ") + name + " " + found->second;
    }
  }
  return text + ")";
}

std::string missing_module_text(
    const std::string& module,
    const std::vector<InterpreterPtr>& interpreters) {
  if (interpreters.empty()) {
    return "needs Python 3 with " + module +
           "; no interpreter was found. Install one, or name it: --python PATH";
  }
  std::string text =
      "needs " + module + "; " +
      (interpreters.size() == 1 ? "the interpreter does not have it"
                                : "none of the interpreters found has it");
  for (const InterpreterPtr& interpreter : interpreters) {
    text += "\n    " + to_string(*interpreter);
  }
  return text + "\n    name another: --python PATH";
}

}  // namespace grader
