// SPDX-License-Identifier: MIT
// How a class that builds its own projections is to be read: in which order its
// fused projection holds q, k and v, how columns are dealt to heads, what a
// mask of its looks like. All of it is the class's own affair; what counts is
// that under some reading it is right, or wrong in one explained way.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "grader/task_book.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

struct ClassReading {
  ModuleReading words;
  ClassForm form;  // of the cases that it is graded on
  std::vector<std::string> remarks;
  std::vector<std::string> notes;  // "mask-convention"
};

// Tries the readings of a match on a few small cases of its task, the usual one
// first; `worker` has loaded the submission. CannotGrade where parameters were
// guessed and different guesses are different faults, or where no mask is
// taken.
std::variant<ClassReading, CannotGrade> find_reading(Worker& worker,
                                                     TaskBook& tasks,
                                                     const Match& match);

}  // namespace grader
