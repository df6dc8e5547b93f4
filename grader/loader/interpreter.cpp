// SPDX-License-Identifier: MIT
#include "grader/loader/interpreter.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
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

// Nothing large is imported, and no `site` before others can use what is
// compiled: that takes from hundredths of a second to seconds. Versions are in
// the names of what distributions leave beside their modules.
constexpr const char* question = R"(
import importlib.machinery, os, site, sys
suffixes = importlib.machinery.all_suffixes()
os.umask(0o022)
sys.dont_write_bytecode = False
for name in os.listdir(sys.argv[1]) if len(sys.argv) > 1 else ():
    if name.endswith(".py"):
        path = os.path.join(sys.argv[1], name)
        try:
            importlib.machinery.SourceFileLoader(name, path).get_code(name)
        except (OSError, SyntaxError):
            pass  # whoever imports it says it
sys.dont_write_bytecode = True
site.main()
import importlib.util, json, re
libraries = {}
for name in "numpy torch jax scipy einops".split():
    try:  # an editable install has a finder of its own
        if importlib.util.find_spec(name):
            libraries[name] = "of unknown version"
    except Exception:
        continue
modules = {*sys.builtin_module_names, *libraries}
left_beside = re.compile(r"(\w+)-([^-]+?)(-.*)?[.](dist|egg)-info$")
for folder in reversed(sys.path):
    try:
        names = os.listdir(folder)
    except OSError:
        continue
    modules.update(name.split(".")[0] for name in names  # a package has no "."
                   if "." not in name or name.endswith(tuple(suffixes)))
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
    added.update(path + suffix for suffix in ["", *suffixes])
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

std::optional<Interpreter> read_answer(const std::string& text,
                                       const std::vector<fs::path>& closed) {
  const auto answer = nlohmann::json::parse(last_line(text), nullptr, false);
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

// What it says, or nothing: a program that cannot be started is as good as
// absent.
std::optional<std::string> answer_of(const std::vector<std::string>& argv) {
  CommandLimits limits;
  limits.wall = std::chrono::seconds(30);
  try {
    CommandResult result = run_command(argv, own_environment(), "/", limits);
    return result.succeeded() ? std::optional(std::move(result.standard_output))
                              : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<Interpreter> ask(const fs::path& program,
                               const std::vector<fs::path>& closed,
                               const fs::path& host) {
  std::vector<std::string> argv = {program.string(), "-I", "-S", "-B", "-c",
                                   question};
  if (!host.empty()) {
    argv.push_back(host.string());
  }
  const auto answer = answer_of(argv);
  return answer ? read_answer(*answer, closed) : std::nullopt;
}

bool is_script(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  return file.get() == '#' && file.get() == '!';
}

// A shell shim takes longer than Python: it is run once, for what is behind it.
// Nothing where it does not answer.
std::optional<fs::path> behind_shim(const fs::path& program) {
  if (!is_script(program)) {
    return program;
  }
  const auto answer = answer_of({program.string(), "-I", "-S", "-B", "-c",
                                 "import sys; print(); print(sys.executable)"});
  fs::path executable = last_line(answer.value_or(""));
  return executable.is_absolute() ? std::optional(std::move(executable))
                                  : std::nullopt;
}

[[noreturn]] void cannot_use(const fs::path& named, const char* cause) {
  throw Error(Blame::usage,
              "cannot use --python " + one_line(named.string()) + ": " + cause);
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
                           std::vector<std::filesystem::path> closed,
                           std::filesystem::path host)
    : named_(named), closed_(std::move(closed)), host_(std::move(host)) {
  if (named_.empty()) {
    unasked_ = usual_places();
  } else if (const auto program = find_program(named.string())) {
    unasked_.push_back(*program);
  } else {
    cannot_use(named, "no such program");
  }
}

Interpreters::Interpreters(std::vector<InterpreterPtr> known)
    : found_(std::move(known)) {}

fs::path Interpreters::likely() {
  const std::scoped_lock lock(mutex_);
  if (found_.empty() && !unasked_.empty()) {
    unasked_.front() = behind_shim(unasked_.front()).value_or("");
    return unasked_.front();
  }
  return found_.empty() ? fs::path() : found_.front()->executable;
}

// False: there is none left.
bool Interpreters::ask_next() {
  while (!unasked_.empty()) {
    const fs::path program = unasked_.front();
    const auto executable =
        program.empty() ? std::nullopt : behind_shim(program);
    const auto interpreter =
        executable ? ask(*executable, closed_, host_) : std::nullopt;
    if (!interpreter && !named_.empty()) {
      cannot_use(named_, "it does not answer as Python 3 does");
    }
    unasked_.pop_front();
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
  const std::string said = last_line(result.standard_error);
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
