// SPDX-License-Identifier: MIT
// From a submission that was read to a program that can be started: its bytes
// are laid out in a folder of their own, compiled where that is needed.
#pragma once

#include "grader/loader/context.hpp"
#include "grader/loader/preparation.hpp"

namespace grader {

// The submission has been read (read_submission) and has no problem. Nothing of
// it has run when this returns. May be called from several threads. Throws
// Error (usage) on a command that names no program.
//
// A folder or an archive is Python where one of its Python files or notebooks
// defines a function of a task, else its C and C++ where it has some.
Preparation prepare(const Submission& submission, const LoaderContext& context);

}  // namespace grader
