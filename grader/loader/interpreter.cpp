// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/loader/program_search.hpp"
#include "grader/system/command.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

// Nothing large is imported: that takes from a tenth of a second to seconds.
// The versions are in the names of what their distributions leave beside them.
constexpr const char* question = R"(
import importlib.machinery, importlib.util, json, os, pkgutil, re, sys
modules = set(sys.builtin_module_names)
modules.update(module.name for module in pkgutil.iter_modules())
libraries = {}
for name in "numpy torch jax scipy einops".split():
    try:  # an editable install has a finder of its own
        if importlib.util.find_spec(name):
            libraries[name] = "of unknown version"
    except Exception:
        continue
modules.update(libraries)
left_beside = re.compile(r"(\w+)-([^-]+?)(-.*)?[.](dist|egg)-info$")
for folder in reversed(sys.path):
    try:
        names = os.listdir(folder)
    except OSError:
        continue
    for found in filter(None, map(left_beside.match, names)):
        if found.group(1) in libraries:
            libraries[found.group(1)] = found.group(2)
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
# What .pth files and editable installs add. The finders of setuptools have a
# MAPPING and NAMESPACES in their modules, those of scikit-build-core files.
added = set(sys.path)
def add(name, path):
    modules.add(name.split(".")[0])
    added.update(path + suffix for suffix in
                 [""] + importlib.machinery.all_suffixes())
for finder in sys.meta_path:
    kind = finder if isinstance(finder, type) else type(finder)
    source = sys.modules.get(kind.__module__)
    for name, path in dict(getattr(source, "MAPPING", None) or {}).items():
        add(name, path)
    for name, paths in dict(getattr(source, "NAMESPACES", None) or {}).items():
        for path in paths:
            add(name, path)
    known = getattr(finder, "known_source_files", None) or {}
    for name, path in dict(known).items():
        add(name, path)
added = [place for place in map(os.path.normpath, added)
         if os.path.isabs(place) and os.access(place, os.R_OK)
         and (os.access(place, os.X_OK) or not os.path.isdir(place))]
print()
print(json.dumps({
    "executable": sys.executable,
    "version": "%d.%d.%d" % sys.version_info[:3],
    "numpy": libraries.pop("numpy", ""),
    "libraries": libraries,
    "modules": sorted(modules),
    "places": sorted(filter(os.path.exists, map(os.path.normpath, places))),
    "added": sorted(added),
}))
)";

bool is_at_or_below(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : result;
}

// Nobody's libraries, even if one adds such a folder as a whole.
std::vector<fs::path> never_shown() {
  std::vector<fs::path> folders = {"/tmp", "/var/tmp", "/etc", "/home",
                                   "/root"};
  for (const char* name : {"HOME", "TMPDIR"}) {
    const fs::path folder = environment_variable(name);
    if (folder.is_absolute()) {
      folders.push_back(folder);
    }
  }
  return folders;
}

std::optional<Interpreter> read_answer(std::string text,
                                       const std::vector<fs::path>& closed) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  const std::size_t last_line = text.rfind('\n');
  const auto answer = nlohmann::json::parse(
      last_line == std::string::npos ? text : text.substr(last_line + 1),
      nullptr, false);
  try {
    Interpreter interpreter{
        answer.at("executable").get<std::string>(),
        answer.at("version").get<std::string>(),
        answer.at("numpy").get<std::string>(),
        answer.at("libraries").get<std::map<std::string, std::string>>(),
        answer.at("modules").get<std::set<std::string>>(),
        answer.at("places").get<std::vector<std::filesystem::path>>()};
    hold_back(answer.at("added").get<std::vector<fs::path>>(), closed,
              interpreter);
    return interpreter;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<Interpreter> ask(const std::filesystem::path& program,
                               const std::vector<fs::path>& closed) {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(30);
  try {
    const CommandResult result =
        run_command({program.string(), "-I", "-B", "-c", question},
                    own_environment(), "/", limits);
    return result.succeeded() ? read_answer(result.standard_output, closed)
                              : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // not a program of this machine: as good as absent
  }
}

InterpreterPtr ask_named(const std::filesystem::path& named,
                         const std::vector<fs::path>& closed) {
  const auto program = find_program(named.string());
  const auto interpreter = program ? ask(*program, closed) : std::nullopt;
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

void hold_back(const std::vector<fs::path>& added,
               const std::vector<fs::path>& closed, Interpreter& interpreter) {
  std::vector<fs::path> outer = never_shown();
  outer.insert(outer.end(), closed.begin(), closed.end());
  for (const fs::path& place : added) {
    const fs::path real = resolved(place);
    const bool is_known =
        std::ranges::any_of(interpreter.places, [&](const fs::path& known) {
          return is_at_or_below(place, known) &&
                 is_at_or_below(real, resolved(known));
        });
    const bool holds_others =
        std::ranges::any_of(outer, [&](const fs::path& other) {
          return is_at_or_below(resolved(other), real);
        });
    const bool is_others =
        std::ranges::any_of(closed, [&](const fs::path& other) {
          return is_at_or_below(real, resolved(other));
        });
    if (!is_known) {
      auto& list = holds_others || is_others ? interpreter.held_back
                                             : interpreter.places;
      list.push_back(place);
    }
  }
}

Interpreters::Interpreters(const std::filesystem::path& named,
                           std::vector<std::filesystem::path> closed)
    : closed_(std::move(closed)) {
  if (named.empty()) {
    unasked_ = usual_places();
  } else {
    found_.push_back(ask_named(named, closed_));
  }
}

Interpreters::Interpreters(std::vector<InterpreterPtr> known)
    : found_(std::move(known)) {}

// False: there is none left.
bool Interpreters::ask_next() {
  while (!unasked_.empty()) {
    const std::filesystem::path program = unasked_.front();
    unasked_.pop_front();
    const auto interpreter = ask(program, closed_);
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

std::string numpy_obstacle(const Interpreter& interpreter) {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(30);
  const CommandResult result = run_command(
      {interpreter.executable.string(), "-I", "-B", "-c", "import numpy"},
      own_environment(), "/", limits);
  if (result.succeeded()) {
    return "";
  }
  std::string said = result.standard_error;
  while (said.ends_with('\n')) {
    said.pop_back();
  }
  said.erase(0, said.rfind('\n') + 1);  // the exception, behind its frames
  return said.empty() ? "it ends, or hangs" : said;
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
