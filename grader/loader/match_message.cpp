// SPDX-License-Identifier: MIT
#include "grader/loader/match_message.hpp"

#include <algorithm>
#include <optional>

#include "grader/loader/extra_parameters.hpp"
#include "grader/loader/match_native.hpp"
#include "grader/loader/signature.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

std::string quoted(const std::string& name) {
  return "`" + one_line(name, 60) + "`";
}

std::string line_text(const Callable& callable) {
  return callable.line > 0 ? " (line " + std::to_string(callable.line) + ")"
                           : "";
}

std::string option_text(const std::string& entry, const std::string& task) {
  return "--entry " + one_line(entry, 60) + " --task " + task;
}

std::vector<std::string> known_names(const Task& task) {
  std::vector<std::string> names = {task.name};
  names.insert(names.end(), task.aliases.begin(), task.aliases.end());
  return names;
}

struct NearMiss {
  const Callable* callable = nullptr;
  const Task* task = nullptr;
  std::string name;  // that was probably meant
};

// Two edits turn any short name into any other.
constexpr std::size_t shortest_near_miss = 6;

// A near miss has the arguments of the task, too; symbols have none to compare.
std::optional<std::string> near_name(const Callable& callable, const Task& task,
                                     Language language) {
  const bool is_native = language == Language::native;
  const bool fits = is_native ? has_native_form(task)
                              : fit_signature(callable, task).has_value();
  if (!fits) {
    return std::nullopt;
  }
  auto name = is_native ? did_you_mean(callable.name, {task.name})
                        : did_you_mean(callable.name, known_names(task));
  return name && name->size() >= shortest_near_miss ? name : std::nullopt;
}

std::optional<NearMiss> find_near_miss(const std::vector<Callable>& callables,
                                       const std::vector<Task>& tasks,
                                       Language language) {
  for (const Callable& callable : callables) {
    if (callable.name.size() < shortest_near_miss ||
        !callable.problem.empty()) {
      continue;
    }
    for (const Task& task : tasks) {
      if (const auto name = near_name(callable, task, language)) {
        return NearMiss{&callable, &task, *name};
      }
    }
  }
  return std::nullopt;
}

// A function of any other name whose parameters are all those of a task.
std::optional<NearMiss> find_namesake(const std::vector<Callable>& callables,
                                      const std::vector<Task>& tasks) {
  for (const Callable& callable : callables) {
    for (const Task& task : tasks) {
      const auto fit = fit_signature(callable, task);
      if (callable.problem.empty() && !callable.takes_any && fit &&
          fit->recognised == static_cast<int>(task.arguments.size())) {
        return NearMiss{&callable, &task, task.name};
      }
    }
  }
  return std::nullopt;
}

bool proposes_any(const Callable& callable, const std::vector<Task>& tasks) {
  return std::ranges::any_of(tasks, [&](const Task& task) {
    return propose(callable.name, task) != NameRank::none;
  });
}

std::string listed_callables(const std::vector<Callable>& callables) {
  std::vector<std::string> parts(callables.size());
  std::ranges::transform(callables, parts.begin(), located);
  return listed(parts);
}

// Of the tasks that bear the name, else of those that have it as an alias.
std::vector<std::string> wanted_signatures(const Callable& callable,
                                           const std::vector<Task>& tasks) {
  std::vector<std::string> own;
  std::vector<std::string> by_alias;
  for (const Task& task : tasks) {
    const NameRank rank = propose(callable.name, task);
    if (rank == NameRank::alias || rank == NameRank::adorned) {
      by_alias.push_back(signature_text(task));
    } else if (rank != NameRank::none || tasks.size() == 1) {
      own.push_back(signature_text(task));
    }
  }
  return own.empty() ? by_alias : own;
}

// Of the tasks that the name proposes, or of all under --entry: the parameter
// that keeps the function from the one that it comes closest to, or empty.
std::string extra_parameter(const Callable& callable,
                            const std::vector<Task>& tasks) {
  const bool is_named = proposes_any(callable, tasks);
  std::vector<std::string> fewest;
  for (const Task& task : tasks) {
    if (is_named && propose(callable.name, task) == NameRank::none) {
      continue;
    }
    const auto extra = parameters_in_the_way(callable, task);
    if (!extra.empty() && (fewest.empty() || extra.size() < fewest.size())) {
      fewest = extra;
    }
  }
  return fewest.empty() ? "" : fewest.front();
}

std::string found_text(const std::vector<Callable>& callables) {
  if (callables.empty()) {
    return "The file defines no function.";
  }
  return "Found: " + listed_callables(callables) + ".";
}

}  // namespace

std::string located(const Callable& callable) {
  return quoted(callable.name) + line_text(callable);
}

std::string listed(const std::vector<std::string>& parts) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == shown) {
      return text + " and " + std::to_string(parts.size() - shown) + " more";
    }
    const bool is_last = i + 1 == parts.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + parts[i];
  }
  return text;
}

LoadFailure no_function(const std::vector<Callable>& callables,
                        const std::vector<Task>& tasks, Language language) {
  const bool is_python = language == Language::python;
  std::string text = "no function of a task found. ";
  if (const auto near = find_near_miss(callables, tasks, language)) {
    return {"no-function",
            text + "There is " + located(*near->callable) + ": did you mean " +
                quoted(near->name) + "?\n    " +
                option_text(near->callable->name, near->task->name) +
                " grades it as it is."};
  }
  text += found_text(callables);
  if (const auto other =
          is_python ? find_namesake(callables, tasks) : std::nullopt) {
    text += "\n    " + option_text(other->callable->name, other->task->name) +
            " grades " + quoted(other->callable->name) + ", if that is it.";
  }
  return {"no-function", text};
}

LoadFailure unknown_entry(const std::string& entry,
                          const std::vector<Callable>& callables) {
  std::vector<std::string> names(callables.size());
  std::ranges::transform(callables, names.begin(), &Callable::name);
  std::string text = "there is no " + quoted(entry) + ". ";
  if (const auto near = did_you_mean(entry, names)) {
    text += "Did you mean " + quoted(*near) + "? ";
  }
  return {"no-function", text + found_text(callables)};
}

LoadFailure wrong_signature(const Callable& callable,
                            const std::vector<Task>& tasks) {
  const std::string extra = extra_parameter(callable, tasks);
  if (!extra.empty()) {
    return {"signature",
            "`" + signature_text(callable) + "`" + line_text(callable) +
                " needs " + quoted(extra) +
                ", which no task has: give it a default" +
                (is_option(extra) ? "" : ", or call it `mask` if it is one")};
  }
  const std::vector<std::string> wanted = wanted_signatures(callable, tasks);
  std::string text = "`" + signature_text(callable) + "`" +
                     line_text(callable) + " has the arguments of no task. ";
  if (!wanted.empty()) {
    text += "Expected: " + listed(wanted) + ".";
  }
  return {"signature", text};
}

LoadFailure cannot_be_made(const Callable& callable) {
  std::vector<std::string> unknown;
  for (const Parameter& parameter : callable.constructor) {
    Callable alone = callable;
    alone.constructor = {parameter};
    if (!fill_constructor(alone, Kind::attention, MaskMode::none)) {
      unknown.push_back(quoted(parameter.name));
    }
  }
  const std::string what = unknown.empty() ? "arguments" : listed(unknown);
  return {"constructor",
          located(callable) + " cannot be made: its constructor needs " + what +
              ", and no task says which value is right: give it a default, or "
              "compute it from the tensors"};
}

// The advice comes first: in a list of submissions there is room for a line.
LoadFailure several_tasks(const Callable& callable,
                          const std::vector<std::string>& tasks) {
  return {"ambiguous", "say which with --task NAME: " + located(callable) +
                           " fits the tasks " + listed(tasks)};
}

LoadFailure unclear_function(const Callable& adorned,
                             const std::vector<Callable>& others) {
  std::vector<Callable> all = {adorned};
  all.insert(all.end(), others.begin(), others.end());
  return {"ambiguous",
          "say which function with --entry NAME: " + listed_callables(all) +
              " may all be what is to be graded"};
}

LoadFailure several_functions(const std::string& task,
                              const std::vector<Callable>& callables) {
  return {"ambiguous", "say which function with --entry NAME: " +
                           listed_callables(callables) + " answer the task " +
                           task};
}

}  // namespace grader
