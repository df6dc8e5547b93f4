// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/namespaces.hpp"

#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"

namespace grader {

Clone clone_into(std::uint64_t namespaces) {
  int process = -1;
  clone_args arguments{};
  arguments.flags = namespaces | CLONE_PIDFD;
  arguments.exit_signal = SIGCHLD;
  arguments.pidfd = reinterpret_cast<std::uintptr_t>(&process);
  const long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
  check_step(pid >= 0, "make the namespaces of a cell");
  return {static_cast<pid_t>(pid), FileDescriptor(pid == 0 ? -1 : process)};
}

}  // namespace grader
