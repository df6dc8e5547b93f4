// SPDX-License-Identifier: MIT
// Where a submission runs: as its Program's isolation says, under resource
// limits, in the environment and folder that the Program names.
//
// Not bounded at L0: processes that leave the group by setsid (the grader is no
// subreaper, for that is a property of the whole process), memory of several
// processes together, the network, other files.
#pragma once

#include <cstdint>
#include <memory>

#include "grader/system/child.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

// The host of the program, or the command itself, started, with its channel.
// The memory of a command is bounded from the start. Throws Error
// (environment).
std::unique_ptr<Child> spawn_cell(const Program& program, const Limits& limits);

// Bounds the address space to what the process has now and `memory` bytes
// more. Interpreters and libraries reserve much that they never use, so an
// absolute number would blame the candidate for them.
void limit_memory(const Child& child, const Program& program,
                  std::uint64_t memory);

}  // namespace grader
