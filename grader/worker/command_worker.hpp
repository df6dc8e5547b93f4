// SPDX-License-Identifier: MIT
// A submission that is a program of its own, which reads requests on stdin and
// writes answers on stdout (docs/commands.md).
#pragma once

#include <memory>

#include "grader/worker/worker.hpp"

namespace grader {

// load() starts the program and describes nothing: what it can do is what the
// user says it can. One that ends by itself, with status 0, after an answer is
// started anew for the next call.
std::unique_ptr<Worker> start_command_worker(const Program& program,
                                             const Limits& limits);

}  // namespace grader
