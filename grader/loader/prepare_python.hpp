// SPDX-License-Identifier: MIT
// From Python files and notebooks to a program.
#pragma once

#include <vector>

#include "grader/loader/context.hpp"
#include "grader/loader/preparation.hpp"
#include "grader/loader/staging.hpp"

namespace grader {

// Is there a Python file or a notebook among them?
bool has_python(const std::vector<SourceFile>& files);

// All files are there for imports; choose_file() says which one is the
// submission. With something else beside that could be graded
// (`is_only_python` false), a single file counts only if it defines a function
// of a task: otherwise the failure is "no-function".
Preparation prepare_python(std::vector<SourceFile> files, bool is_only_python,
                           const LoaderContext& context);

// The host in the interpreter that has most of the imports, which there is,
// with nothing to load.
Program make_python(const Staging& staging,
                    const std::vector<std::string>& imports,
                    const LoaderContext& context);

}  // namespace grader
