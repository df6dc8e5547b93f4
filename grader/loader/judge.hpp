// SPDX-License-Identifier: MIT
// Whose doing is it that a Python submission could not be imported?
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grader/loader/interpreter.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// The first of the modules that is a framework which this version does not
// grade (torch, jax, ...): the answer must not depend on whether it is there.
std::optional<CannotGrade> refuse_frameworks(
    const std::vector<std::string>& modules);

// A missing module is the candidate's failure, unless the tasks list it as one
// that the grader provides and the interpreter in use really does not have it.
std::variant<LoadFailure, CannotGrade> judge_load_failure(
    const LoadFailure& failure, const std::vector<Task>& tasks,
    const std::vector<Interpreter>& interpreters);

}  // namespace grader
