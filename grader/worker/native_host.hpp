// SPDX-License-Identifier: MIT
// The host of submissions that export C symbols (include/attngrade.h): a
// program of its own, or part of a self-check program that links the
// candidate's source.
#pragma once

namespace grader {

// Answers requests on the descriptor ATTNGRADE_CHANNEL until it is closed; the
// result is the program's exit code. 2: there is no such descriptor.
int run_native_host();

}  // namespace grader
