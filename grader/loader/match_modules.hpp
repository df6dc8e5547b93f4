// SPDX-License-Identifier: MIT
// Which classes that build their own projections are submissions, and for which
// tasks: the study of the host says what they compute, the name only whether
// they are meant. What such a class uses is a helper of it.
#pragma once

#include <string>
#include <vector>

#include "grader/loader/program.hpp"
#include "grader/loader/signature.hpp"

namespace grader {

// A class that can be graded as it is studied.
bool is_gradable_module(const Callable& callable);

struct ModuleAnswer {
  const Callable* callable = nullptr;
  const Task* task = nullptr;
  NameRank rank = NameRank::none;
};

struct Modules {
  std::vector<ModuleAnswer> answers;     // equals where a task has several
  std::vector<const Callable*> helpers;  // of the classes that answer
  // No name says attention; this is the only class that could be one.
  bool is_guess = false;
};

struct ModuleQuestion {
  const std::vector<Callable>& callables;
  const std::vector<Task>& tasks;
  bool is_asked = false;  // the tasks are those of --task, not all there are
};

// The best classes for each task among those whose name has, or has not, a
// leading underscore. Views of the question.
Modules find_modules(const ModuleQuestion& question, bool with_private);

// The tasks that one class answers, whatever it is called.
std::vector<ModuleAnswer> answers_of(const Callable& callable,
                                     const ModuleQuestion& question);

// What was chosen and why, for people: "graded as multi_head_attention:
// `MultiHeadAttention` (line 9) builds its own projections; `Head` is a helper
// of it; `Block` contains it", and what the host has to say.
std::vector<std::string> module_remarks(const Callable& chosen,
                                        const std::string& task,
                                        const std::vector<Callable>& callables);

// Classes that use a function which is graded, and that may be what was handed
// in, but cannot be graded: "`MultiHeadAttention` (line 9), which uses it, is
// not graded: its constructor needs `position_encoder`".
std::vector<std::string> ungraded_users(const Callable& callable,
                                        const std::vector<Callable>& callables,
                                        const std::vector<Task>& tasks);

// Why no class of the file is graded as a module: the problem of the one that
// is most probably meant, or that it answers none of the tasks. No matches: no
// class is meant.
Matching explain_modules(const ModuleQuestion& question);

// The same for one class.
Matching explain_module(const Callable& callable,
                        const std::vector<Task>& tasks);

}  // namespace grader
