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
#include <string>
#include <vector>

#include "grader/loader/limits.hpp"
#include "grader/loader/program.hpp"
#include "grader/system/child.hpp"

namespace grader {

// The host of the program, or the command itself, started, with its channel.
// The memory of a command is bounded from the start. Throws Error
// (environment).
std::unique_ptr<Child> spawn_cell(const Program& program, const Limits& limits);

// The host as a copy of the program's server, which first does what the words
// say, or null where there is none.
std::unique_ptr<Child> spawn_copy(const Program& program, const Limits& limits,
                                  std::vector<std::string> words);

// Bytes of its address space. Throws Error (environment).
std::uint64_t address_space(const Child& child);

// Bounds the address space to `baseline` and `memory` bytes more. Interpreters
// and libraries reserve much that they never use, so an absolute number would
// blame the candidate for them. Throws Error (environment).
void limit_memory(const Child& child, const Program& program,
                  std::uint64_t baseline, std::uint64_t memory);

}  // namespace grader
