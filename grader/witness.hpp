// SPDX-License-Identifier: MIT
// Accusing anyone needs a witness: in the same interpreter, with the same
// library, a function that is known to be right passes.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "grader/loader/context.hpp"
#include "grader/task_book.hpp"

namespace grader {

// Used from several threads.
class Witness {
 public:
  Witness(TaskBook& tasks, LoaderContext loader);

  // Why numbers from this program cannot be held against anybody, or nothing.
  // Asked once for an interpreter, a library, a precision and a task.
  std::optional<std::string> doubt(const Program& program, const Match& match);

 private:
  std::string try_known_right(const Program& program, const Match& match);

  TaskBook& tasks_;
  LoaderContext loader_;
  std::mutex mutex_;
  // By interpreter, library, precision and task: why a right function comes out
  // wrong there, or "".
  std::map<std::string, std::string> doubts_;
};

}  // namespace grader
