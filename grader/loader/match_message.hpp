// SPDX-License-Identifier: MIT
// Why no function was matched, in words that help: near misses, what was found
// instead, and the options that settle it.
#pragma once

#include <string>
#include <vector>

#include "grader/loader/program.hpp"

namespace grader {

// "`attention` (line 4)"
std::string located(const Callable& callable);

// "a", "a and b", "a, b and c"; the rest of a long list is counted.
std::string listed(const std::vector<std::string>& parts);

// No function has the name of a task.
LoadFailure no_function(const std::vector<Callable>& callables,
                        const std::vector<Task>& tasks, Language language);

// --entry names nothing in the file.
LoadFailure unknown_entry(const std::string& entry,
                          const std::vector<Callable>& callables);

// The function is there but takes other arguments.
LoadFailure wrong_signature(const Callable& callable,
                            const std::vector<Task>& tasks);

// A class without matrices of its own whose constructor needs what the grader
// cannot know.
LoadFailure cannot_be_made(const Callable& callable);

// One function fits several tasks.
LoadFailure several_tasks(const Callable& callable,
                          const std::vector<std::string>& tasks);

// An adorned name beside functions of other names that take the same tensors.
LoadFailure unclear_function(const Callable& adorned,
                             const std::vector<Callable>& others);

// Several functions answer one task.
LoadFailure several_functions(const std::string& task,
                              const std::vector<Callable>& callables);

}  // namespace grader
