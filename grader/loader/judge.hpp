// SPDX-License-Identifier: MIT
// Whose doing is it that a Python submission could not be imported?
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/loader/interpreter.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// What the interpreter says of a module where no submission is, in one line, or
// "" (ModuleTrials).
using TryModule = std::function<std::string(const std::string& module)>;

// A missing device ("device") is nobody's failure, if it can be that
// (may_lack_device). A missing module is the
// candidate's, unless the tasks list it as one that the grader provides and the
// interpreter in use really does not have it, or it is a framework whose
// tensors are not graded (tensorflow, mlx, ...). One that the interpreter has,
// and that cannot be imported where the program runs, is the environment's:
// that is tried, for anybody can raise such an error. `interpreters`: all, for
// the message.
std::variant<LoadFailure, CannotGrade> judge_load_failure(
    const LoadFailure& failure, const std::vector<Task>& tasks,
    const Program& program, const std::vector<InterpreterPtr>& interpreters,
    const TryModule& try_module);

// A library that submissions are not shown (Interpreter::held_back) and that
// this one imports: what stood in for it may be behind anything that went
// wrong.
std::optional<CannotGrade> lost_library(const Program& program,
                                        const TryModule& try_module);

// Does the text say that a module is missing which the tasks list as one that
// the grader provides?
bool lacks_provided_module(const std::string& text,
                           const std::vector<Task>& tasks);

// May a device be what the submission lacks? It says a word of one, and its
// interpreter has a library that computes on them. Whoever raises the library's
// error without is not believed.
bool may_lack_device(const Program& program);

// What the submission's process says of its own classes, without excuses that
// are none: a device that it cannot want, a library that is there.
void refute_excuses(const Program& program, const TryModule& try_module,
                    Description& description);

// Does the host say, of why a class cannot be made, that there is no such
// device here?
bool lacks_device(const std::string& problem);

// "module.py", "module/" or "header.h", where the file at `path` lacks what
// lies beside it; else "": the file is part of a larger submission.
std::string missed_neighbour(const LoadFailure& failure,
                             const std::filesystem::path& path);

}  // namespace grader
