// SPDX-License-Identifier: MIT
// The namespaces of a cell, all made in one clone.
#pragma once

#include <cstdint>
#include <linux/sched.h>
#include <sys/types.h>

#include "grader/system/file_descriptor.hpp"

namespace grader {

constexpr std::uint64_t cell_namespaces = CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNS | CLONE_NEWIPC |
                                          CLONE_NEWUTS | CLONE_NEWNET;

struct Clone {
  pid_t pid = -1;            // 0 in the new process
  FileDescriptor process{};  // a pidfd of it, in the old one
};

// What registers itself with pthread_atfork is not called: the new process must
// not go on with what the old one did. Throws Error.
Clone clone_into(std::uint64_t namespaces);

}  // namespace grader
