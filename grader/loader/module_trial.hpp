// SPDX-License-Identifier: MIT
// Whose doing is it that a submission cannot import a library which the
// interpreter has? In a cell the library may lack what lies elsewhere.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "grader/loader/interpreter.hpp"

namespace grader {

struct LoaderContext;

// Imports each library once a run where a submission would, without any.
// Used from several threads.
class ModuleTrials {
 public:
  // What the interpreter says of it, one line; empty: it is imported. Throws
  // Error (environment) where the interpreter cannot be started.
  std::string failure(const std::string& module, const Interpreter& interpreter,
                      const LoaderContext& context);

 private:
  std::mutex mutex_;
  std::map<std::pair<std::filesystem::path, std::string>, std::string> known_;
};

}  // namespace grader
