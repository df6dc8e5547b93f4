// SPDX-License-Identifier: MIT
// Callables by their signatures, and what they are matched to, in words.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grader/loader/program.hpp"
#include "grader/loader/test_tasks.hpp"

namespace grader {

using Words = std::vector<std::string>;

inline Callable function(const std::string& name, const Words& parameters,
                         const Words& called = {}) {
  static int line = 0;
  Callable callable;
  callable.name = name;
  callable.line = ++line;
  callable.calls = called;
  for (const std::string& word : parameters) {
    Parameter parameter;
    const std::size_t equals = word.find('=');
    parameter.name = word.substr(0, equals);
    parameter.has_default = equals != std::string::npos;
    callable.parameters.push_back(parameter);
  }
  return callable;
}

inline Matching match(const std::vector<Callable>& callables,
                      const MatchOptions& options = {}) {
  return match_tasks({callables, {}}, test_tasks(), Language::python, options);
}

// "task=function" for each match, or "failure KIND" or "cannot KIND".
inline Words outcome(const Matching& matching) {
  if (const auto* failure = std::get_if<LoadFailure>(&matching)) {
    return {"failure " + failure->kind};
  }
  if (const auto* obstacle = std::get_if<CannotGrade>(&matching)) {
    return {"cannot " + obstacle->kind};
  }
  Words words;
  for (const Match& found : std::get<std::vector<Match>>(matching)) {
    words.push_back(found.task + "=" + found.callable.name);
  }
  return words;
}

inline std::string detail(const Matching& matching) {
  if (const auto* obstacle = std::get_if<CannotGrade>(&matching)) {
    return obstacle->detail;
  }
  return std::get<LoadFailure>(matching).detail;
}

inline const Words qkv = {"q", "k", "v"};

}  // namespace grader
