// SPDX-License-Identifier: MIT
#include "grader/loader/match_native.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <set>
#include <string_view>

#include "grader/loader/match_message.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr std::string_view float32_suffix = "_f32";

bool has_cpp_linkage(const Callable& callable) {
  return !callable.problem.empty();
}

const Callable* find_symbol(const std::vector<Callable>& callables,
                            const std::string& name) {
  const auto found =
      std::ranges::find_if(callables, [&](const Callable& callable) {
        return callable.name == name && !has_cpp_linkage(callable);
      });
  return found == callables.end() ? nullptr : &*found;
}

Match make_match(const Task& task, const Callable& callable) {
  Match match;
  match.task = task.name;
  match.callable = callable;
  match.is_float32 = callable.name.ends_with(float32_suffix);
  return match;
}

bool is_symbol_of(const Task& task, const std::string& name) {
  return name == task.name || name == task.name + std::string(float32_suffix);
}

// Names of nested and plain functions are parsed here, for the demangler's
// output can grow exponentially with its input: it is given short names only.
std::string base_name(std::string_view mangled) {
  mangled.remove_prefix(2);  // "_Z"
  const bool is_nested = mangled.starts_with('N');
  mangled.remove_prefix(is_nested ? 1 : 0);
  std::string_view name;
  while (!mangled.empty() && mangled[0] >= '1' && mangled[0] <= '9') {
    std::size_t length = 0;
    while (!mangled.empty() && mangled[0] >= '0' && mangled[0] <= '9' &&
           length < mangled.size()) {
      length = length * 10 + static_cast<std::size_t>(mangled[0] - '0');
      mangled.remove_prefix(1);
    }
    if (length > mangled.size()) {
      return "";
    }
    name = mangled.substr(0, length);
    mangled.remove_prefix(length);
    if (!is_nested) {
      break;
    }
  }
  return is_nested && !mangled.starts_with('E') ? "" : std::string(name);
}

std::string demangle(const std::string& mangled) {
  constexpr std::size_t longest = 128;  // bytes
  if (mangled.size() > longest) {
    return base_name(mangled);
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
      &std::free);
  return text ? one_line(text.get(), 200) : base_name(mangled);
}

LoadFailure native_entry_failure(const Callable& callable,
                                 const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks) {
    if (has_native_form(task)) {
      names.push_back(task.name);
    }
  }
  if (names.empty()) {
    return {"no-function",
            "the task has no C signature: it can be graded in Python only"};
  }
  return several_tasks(callable, names);
}

Matching match_symbol(const Callable& callable,
                      const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    if (has_native_form(task) &&
        (tasks.size() == 1 || is_symbol_of(task, callable.name))) {
      return std::vector<Match>{make_match(task, callable)};
    }
  }
  return native_entry_failure(callable, tasks);
}

// "found attention(double const*, ...) with C++ linkage"
const Callable* find_cpp_linkage(const std::vector<Callable>& callables,
                                 const std::vector<Task>& tasks) {
  const auto found =
      std::ranges::find_if(callables, [&](const Callable& callable) {
        return has_cpp_linkage(callable) &&
               std::ranges::any_of(tasks, [&](const Task& task) {
                 return is_symbol_of(task, callable.name);
               });
      });
  return found == callables.end() ? nullptr : &*found;
}

LoadFailure cpp_linkage(const Callable& callable) {
  return {"no-function", "found " + callable.problem +
                             " with C++ linkage: declare it extern \"C\""};
}

Matching match_native_entry(const std::vector<Callable>& callables,
                            const std::vector<Task>& tasks,
                            const std::string& entry) {
  if (const Callable* symbol = find_symbol(callables, entry)) {
    return match_symbol(*symbol, tasks);
  }
  const auto mangled = std::ranges::find(callables, entry, &Callable::name);
  if (mangled != callables.end()) {
    return cpp_linkage(*mangled);
  }
  return unknown_entry(entry, callables);
}

}  // namespace

bool has_native_form(const Task& task) {
  switch (task.kind) {
    case Kind::attention:
      return true;
    case Kind::multi_head_attention:
    case Kind::grouped_query_attention:
      return task.mask_mode == MaskMode::none;
    case Kind::self_attention:
      return false;
  }
  return false;
}

Matching match_native(const Description& description,
                      const std::vector<Task>& tasks,
                      const MatchOptions& options) {
  const std::vector<Callable>& callables = description.callables;
  if (!options.entry.empty()) {
    return match_native_entry(callables, tasks, options.entry);
  }
  std::vector<Match> matches;
  for (const Task& task : tasks) {
    const Callable* symbol = find_symbol(callables, task.name);
    if (symbol == nullptr) {
      symbol = find_symbol(callables, task.name + std::string(float32_suffix));
    }
    if (symbol != nullptr && has_native_form(task)) {
      matches.push_back(make_match(task, *symbol));
    }
  }
  if (!matches.empty()) {
    return matches;
  }
  if (const Callable* mangled = find_cpp_linkage(callables, tasks)) {
    return cpp_linkage(*mangled);
  }
  return no_function(callables, tasks, Language::native);
}

void add_symbols(Description& description,
                 const std::vector<std::string>& symbols) {
  std::set<std::string> known;
  for (const Callable& callable : description.callables) {
    known.insert(callable.name);
  }
  for (const std::string& symbol : symbols) {
    Callable callable;
    const bool is_mangled = symbol.starts_with("_Z");
    callable.name = is_mangled ? base_name(symbol) : symbol;
    if (is_mangled) {
      callable.problem = demangle(symbol);
    }
    // The linker's own begin with an underscore: _init, _fini.
    const bool is_candidates =
        !callable.name.empty() && !callable.name.starts_with('_');
    if (is_candidates && known.insert(symbol).second) {
      description.callables.push_back(std::move(callable));
    }
  }
}

}  // namespace grader
