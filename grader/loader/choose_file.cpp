// SPDX-License-Identifier: MIT
#include "grader/loader/choose_file.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "grader/loader/match_message.hpp"
#include "grader/loader/signature.hpp"
#include "grader/submission/clutter.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

struct Candidate {
  const FileInspection* file = nullptr;
  std::string definition;  // the one that makes it a candidate
  NameRank rank = NameRank::none;
};

using Candidates = std::vector<Candidate>;

NameRank rank_of(const std::string& definition, const std::vector<Task>& tasks,
                 const MatchOptions& options) {
  if (!options.asked_for.empty()) {
    return std::ranges::count(options.asked_for, definition) > 0
               ? NameRank::exact
               : NameRank::none;
  }
  if (!options.entry.empty()) {
    const bool is_entry =
        normalise(definition) ==
        normalise(options.entry.substr(0, options.entry.find('.')));
    return is_entry ? NameRank::exact : NameRank::none;
  }
  NameRank best = NameRank::none;
  for (const Task& task : tasks) {
    if (options.task.empty() || options.task == task.name) {
      best = std::max(best, propose(definition, task));
    }
  }
  return best;
}

Candidates find_candidates(const std::vector<FileInspection>& files,
                           const std::vector<Task>& tasks,
                           const MatchOptions& options) {
  Candidates candidates;
  for (const FileInspection& file : files) {
    Candidate candidate{&file, "", NameRank::none};
    for (const std::string& definition : file.definitions) {
      const NameRank rank = rank_of(definition, tasks, options);
      if (rank > candidate.rank) {
        candidate.definition = definition;
        candidate.rank = rank;
      }
    }
    if (candidate.rank != NameRank::none) {
      candidates.push_back(candidate);
    }
  }
  return candidates;
}

// The `naive_attention` of a benchmark is no rival of `attention`, nor is
// `attention` its helper.
Candidates without_adorned(const Candidates& candidates) {
  Candidates kept;
  std::ranges::copy_if(candidates, std::back_inserter(kept),
                       [](const Candidate& candidate) {
                         return candidate.rank > NameRank::adorned;
                       });
  return kept.empty() ? candidates : kept;
}

// What another candidate imports is its helper.
Candidates without_helpers(const Candidates& candidates) {
  Candidates kept;
  std::ranges::copy_if(
      candidates, std::back_inserter(kept), [&](const Candidate& candidate) {
        return std::ranges::none_of(candidates, [&](const Candidate& other) {
          return other.file != candidate.file &&
                 uses_file(*other.file, candidate.file->name);
        });
      });
  return kept.empty() ? candidates : kept;
}

std::string names_of(const std::vector<FileInspection>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const FileInspection& file : files) {
    names.push_back(one_line(file.name, 100));
  }
  return listed(names);
}

LoadFailure none_found(const std::vector<FileInspection>& files,
                       const std::vector<FileInspection>& tests,
                       const MatchOptions& options) {
  const std::string what =
      options.entry.empty()
          ? "a function of " + (options.task.empty()
                                    ? std::string("a task")
                                    : "the task " + options.task)
          : "`" + one_line(options.entry, 60) + "`";
  const std::string aside =
      tests.empty() ? "" : " (left aside as tests: " + names_of(tests) + ")";
  return {"no-function", "none of its Python files defines " + what + ": " +
                             names_of(files) + aside +
                             ". Name the function: --entry FILE:NAME"};
}

LoadFailure several_found(const Candidates& candidates) {
  std::vector<std::string> parts;
  parts.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    parts.push_back(one_line(candidate.file->name, 100) + " (`" +
                    one_line(candidate.definition, 60) + "`)");
  }
  return {"ambiguous", "say which file, as in --entry " +
                           one_line(candidates.front().file->name, 100) + ":" +
                           one_line(candidates.front().definition, 60) +
                           ": several could be the submission, " +
                           listed(parts)};
}

// The file's own name, or the end of its path.
bool is_named(const FileInspection& file, const std::string& name) {
  return file.name == name || file.name.ends_with("/" + name);
}

// Tests are on a side of their own.
struct Sides {
  std::vector<FileInspection> files;
  std::vector<FileInspection> tests;
};

Sides take_apart(const std::vector<FileInspection>& files) {
  Sides sides;
  for (const FileInspection& file : files) {
    (is_test_file(file.name) ? sides.tests : sides.files).push_back(file);
  }
  return sides;
}

std::variant<std::string, LoadFailure> named_file(const Sides& sides,
                                                  const std::string& name) {
  std::vector<FileInspection> named;
  std::vector<FileInspection> all;
  for (const auto* side : {&sides.files, &sides.tests}) {
    if (named.empty()) {
      std::ranges::copy_if(
          *side, std::back_inserter(named),
          [&](const FileInspection& file) { return is_named(file, name); });
    }
    std::ranges::copy(*side, std::back_inserter(all));
  }
  if (named.size() == 1) {
    return named.front().name;
  }
  return LoadFailure{"no-file",
                     "there is " +
                         std::string(named.empty() ? "no Python file "
                                                   : "more than one file ") +
                         one_line(name, 100) +
                         " in it: " + names_of(named.empty() ? all : named)};
}

// A test by more than its name. What it defines may be there to compare with.
bool is_test(const FileInspection& file) {
  constexpr std::array<std::string_view, 6> tools = {
      "unittest", "pytest", "doctest", "ctypes", "cffi", "subprocess"};
  return std::ranges::any_of(file.definitions,
                             [](const std::string& definition) {
                               return normalise(definition).starts_with("test");
                             }) ||
         std::ranges::any_of(file.imports, [&](const std::string& module) {
           return std::ranges::count(tools, module) > 0;
         });
}

// What cannot be parsed has nothing in it (FileInspection), an empty
// __init__.py neither.
bool is_understood(const FileInspection& file) {
  return !file.definitions.empty() || !file.imports.empty() ||
         !file.uses.empty() || file.name.ends_with("__init__.py");
}

// A file called coding_test.py is the answer to a test, not a test, where
// nothing else can be the submission.
bool may_be_meant(const Sides& sides, bool is_only_python) {
  if (sides.files.empty() && is_only_python) {
    return true;
  }
  return (sides.files.empty() || is_only_python) &&
         std::ranges::all_of(sides.files, is_understood) &&
         std::ranges::none_of(sides.tests, is_test);
}

}  // namespace

std::variant<std::string, LoadFailure> choose_file(
    const std::vector<FileInspection>& files, bool is_only_python,
    const std::vector<Task>& tasks, const MatchOptions& options) {
  const Sides sides = take_apart(files);
  if (!options.file.empty()) {
    return named_file(sides, options.file);
  }
  const auto find = [&](const std::vector<FileInspection>& side) {
    return without_helpers(
        without_adorned(find_candidates(side, tasks, options)));
  };
  Candidates candidates = find(sides.files);
  if (candidates.empty() && may_be_meant(sides, is_only_python)) {
    candidates = find(sides.tests);
  }
  if (candidates.size() > 1) {
    return several_found(candidates);
  }
  if (candidates.size() == 1) {
    return candidates.front().file->name;
  }
  if (sides.files.empty()) {
    return is_only_python && files.size() == 1
               ? std::variant<std::string, LoadFailure>(files.front().name)
               : none_found(files, {}, options);
  }
  if (sides.files.size() == 1 && is_only_python) {
    return sides.files.front().name;
  }
  return none_found(sides.files, sides.tests, options);
}

}  // namespace grader
