// SPDX-License-Identifier: MIT
// The interviewer's own functions that call a submission: docs/adapters.md.
// They are asked alone what they are; the word of a process that holds a
// submission, too, is not taken for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/fixture/task.hpp"
#include "grader/loader/context.hpp"
#include "grader/loader/program.hpp"

namespace grader {

struct Adapter {
  AdapterFile file;
  std::vector<std::string> imports{};  // modules that it cannot run without
  std::vector<Callable> callables{};   // without their first parameter
  bool mentions_device = false;
  std::vector<std::string> asks_for{};  // names that it looks up in the module
};

// The one that the wanted tasks name, or nothing. Throws Error (usage) where
// two of them name different ones.
std::optional<AdapterFile> adapter_of(const std::vector<Task>& tasks,
                                      const std::string& wanted_task);

// The adapter without any submission, to be asked what it is; what it imports
// is read off its syntax tree. `context` has an interpreter with numpy.
Program adapter_alone(const AdapterFile& file, const LoaderContext& context);

}  // namespace grader
