// SPDX-License-Identifier: MIT
// From C and C++ sources, or a shared library, to a program.
#pragma once

#include <vector>

#include "grader/loader/context.hpp"
#include "grader/loader/preparation.hpp"

namespace grader {

// The sources of a folder compiled together (native_sources.hpp), or, without a
// source, the one shared library among the files.
Preparation prepare_native(const std::vector<SourceFile>& files,
                           const LoaderContext& context);

}  // namespace grader
