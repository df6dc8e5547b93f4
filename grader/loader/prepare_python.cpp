// SPDX-License-Identifier: MIT
#include "grader/loader/prepare_python.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "grader/fixture/forbidden_calls.hpp"
#include "grader/loader/adapter.hpp"
#include "grader/loader/choose_file.hpp"
#include "grader/loader/inspection.hpp"
#include "grader/loader/notebook.hpp"
#include "grader/loader/python_server.hpp"
#include "grader/submission/forms.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

bool is_python_file(const SourceFile& file) {
  const Form form = form_of(file.name);
  return form == Form::python || form == Form::notebook;
}

// Puts the list of its cells in the place of each notebook, for the Python
// host; what cannot be read as one stays, and is named in `unreadable`.
std::optional<LoadFailure> extract_cells(std::vector<SourceFile>& files,
                                         std::vector<std::string>& unreadable) {
  std::optional<LoadFailure> first_failure;
  for (SourceFile& file : files) {
    if (form_of(file.name) != Form::notebook) {
      continue;
    }
    const NotebookReading reading = read_notebook(file.bytes);
    if (const auto* failure = std::get_if<LoadFailure>(&reading)) {
      unreadable.push_back(file.name);
      first_failure = first_failure.value_or(*failure);
    } else {
      file.bytes = write_cells(std::get<std::vector<NotebookCell>>(reading));
    }
  }
  return first_failure;
}

std::vector<std::string> candidates(
    const std::vector<SourceFile>& files,
    const std::vector<std::string>& unreadable) {
  std::vector<std::string> names;
  for (const SourceFile& file : files) {
    if (is_python_file(file) &&
        std::ranges::count(unreadable, file.name) == 0) {
      names.push_back(file.name);
    }
  }
  return names;
}

// Large libraries, to be loaded before the submission is.
std::vector<std::string> libraries_of(const std::vector<std::string>& imports,
                                      const Interpreter& interpreter) {
  std::vector<std::string> libraries;
  for (const char* name : {"torch", "jax"}) {
    if (std::ranges::count(imports, name) > 0 &&
        interpreter.libraries.contains(name)) {
      libraries.emplace_back(name);
    }
  }
  return libraries;
}

// Whose tensors the user wants to be passed, whatever the file imports.
std::string wanted_library(const MatchOptions& options) {
  const Framework framework = options.framework.value_or(Framework::numpy);
  return framework == Framework::numpy ? "" : to_string(framework);
}

// All classes are studied before it is known what task they answer: the first
// of the tasks that says something says it for all.
std::string said_of_classes(const LoaderContext& context,
                            std::string Task::*text) {
  for (const Task& task : context.tasks) {
    const bool is_wanted =
        context.match.task.empty() || context.match.task == task.name;
    if (is_wanted && !(task.*text).empty()) {
      return task.*text;
    }
  }
  return "";
}

Program make_submission(const Staging& staging, const FileInspection& file,
                        const std::vector<std::string>& imports,
                        const LoaderContext& context) {
  Program program = make_python(staging, imports, context);
  program.submission = staging.root / file.name;
  program.watched = watched_names(context.tasks);
  program.named_calls = file.calls;
  program.definitions = file.definitions;
  program.construct = said_of_classes(context, &Task::construct);
  program.parameters = said_of_classes(context, &Task::parameters);
  program.adapter = context.adapter;
  return program;
}

// By the host, which loads nothing yet, if it can be copied; else by a program.
HostInspection inspect(const Program& host, const Staging& staging,
                       const std::vector<std::string>& names,
                       const LoaderContext& context) {
  const InspectionRequest request{.interpreter = *host.interpreter,
                                  .host = context.python_host,
                                  .root = staging.root,
                                  .scratch = staging.notes,
                                  .names = names,
                                  .watched = watched_names(context.tasks),
                                  .isolation = context.isolation};
  auto inspection = inspect_in_host(request, host, context.limits);
  return inspection ? std::move(*inspection)
                    : HostInspection{inspect_files(request), nullptr};
}

bool is_same_server(const Program& a, const Program& b) {
  return a.server && b.server && a.server->argv == b.server->argv;
}

using Choice = std::variant<std::string, LoadFailure>;

// The file that an adapter is to call: one that defines what it asks for, if
// that is known; --entry names a function of the adapter.
Choice choose_for_adapter(const std::vector<FileInspection>& inspected,
                          bool is_only_python, const LoaderContext& context) {
  MatchOptions options = context.match;
  options.entry.clear();
  options.asked_for = context.adapter->asks_for;
  return choose_file(inspected, is_only_python, context.tasks, options);
}

// Where no file is known to have what is wanted: what it is may be in one that
// the parser was not done with.
std::optional<LoadFailure> without_function(
    const LoadFailure& none, const std::vector<FileInspection>& inspected) {
  const auto cut = std::ranges::find_if(
      inspected, [](const FileInspection& file) { return !file.cut.empty(); });
  if (cut == inspected.end() || none.kind != "no-function") {
    return std::nullopt;
  }
  return LoadFailure{"syntax", "Python cannot parse " +
                                   one_line(cut->name, 100) + ": " + cut->cut};
}

CannotGrade cannot_choose_for_adapter(const Adapter& adapter) {
  std::string names;
  for (const std::string& name : adapter.asks_for) {
    names += (names.empty() ? " (`" : ", `") + one_line(name, 60) + "`";
  }
  return {"unsupported",
          "not one of its files, but none or several, defines what " +
              adapter.file.name + " asks for" + names +
              (names.empty() ? "" : ")") + ": name the file, --entry FILE:" +
              one_line(adapter.callables.front().name, 60)};
}

Preparation why_none(const LoadFailure& none,
                     const std::vector<FileInspection>& inspected,
                     bool is_only_python, const LoaderContext& context) {
  if (auto unread = without_function(none, inspected)) {
    return *unread;
  }
  const bool is_open = is_only_python && context.match.file.empty();
  if (context.adapter != nullptr && is_open) {
    return cannot_choose_for_adapter(*context.adapter);
  }
  return none;
}

}  // namespace

bool has_python(const std::vector<SourceFile>& files) {
  return std::ranges::any_of(files, is_python_file);
}

Program make_python(const Staging& staging,
                    const std::vector<std::string>& imports,
                    const LoaderContext& context) {
  Program program = make_program(staging, Language::python, context.isolation);
  program.fork_servers = context.fork_servers;
  program.root = staging.root;
  program.interpreter = context.interpreters->choose(imports);
  program.imports = imports;
  auto& shown = program.confinement.shown;
  shown.push_back(context.python_host.parent_path());
  std::ranges::copy(program.interpreter->places, std::back_inserter(shown));
  // Not -I: it would ignore the hash seed too. What else it does is done here:
  // no user site, and an environment and a script folder of the grader's own.
  program.argv = {program.interpreter->executable.string(), "-s", "-B",
                  (context.python_host / "start.py").string()};
  const auto libraries = libraries_of(imports, *program.interpreter);
  std::ranges::copy(libraries, std::back_inserter(program.argv));
  if (std::ranges::count(libraries, "jax") > 0) {
    program.time_factor = 4.0;
  } else {  // JAX has threads, which a copy would not have
    program.server =
        python_server(*program.interpreter, context.python_host, libraries,
                      context.is_for_many, context.isolation);
  }
  return program;
}

Preparation prepare_python(std::vector<SourceFile> files, bool is_only_python,
                           const LoaderContext& context) {
  if (context.interpreters->choose({}) == nullptr) {
    return CannotGrade{
        "environment",
        missing_module_text("numpy", context.interpreters->all())};
  }
  std::vector<std::string> unreadable;
  const auto failure = extract_cells(files, unreadable);
  const std::vector<std::string> names = candidates(files, unreadable);
  if (names.empty() && failure) {
    return *failure;
  }
  const Staging staging = stage(files, context.scratch);
  const Program host = make_python(staging, {}, context);
  const HostInspection inspection = inspect(host, staging, names, context);
  const std::vector<FileInspection>& inspected = inspection.files;
  const Choice chosen =
      context.adapter != nullptr
          ? choose_for_adapter(inspected, is_only_python, context)
          : choose_file(inspected, is_only_python, context.tasks,
                        context.match);
  if (const auto* none = std::get_if<LoadFailure>(&chosen)) {
    return why_none(*none, inspected, is_only_python, context);
  }
  const auto& name = std::get<std::string>(chosen);
  std::vector<std::string> imports = all_imports(inspected, name);
  if (context.adapter != nullptr) {
    std::ranges::copy(context.adapter->imports, std::back_inserter(imports));
  }
  const std::string wanted = wanted_library(context.match);
  if (!wanted.empty() && std::ranges::count(imports, wanted) == 0) {
    imports.push_back(wanted);
  }
  const auto file = std::ranges::find(inspected, name, &FileInspection::name);
  Program program = make_submission(
      staging,
      file == inspected.end() ? FileInspection{name, {}, {}, {}} : *file,
      imports, context);
  if (is_same_server(program, host)) {
    program.waiting = inspection.host;
  }
  program.mentions_device =
      mention_device(inspected, name) ||
      (context.adapter != nullptr && context.adapter->mentions_device);
  if (!wanted.empty() && !program.interpreter->libraries.contains(wanted)) {
    return CannotGrade{
        "environment",
        "--framework " + wanted + " " +
            missing_module_text(wanted, context.interpreters->all())};
  }
  return program;
}

}  // namespace grader
