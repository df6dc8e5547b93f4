// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/process_count.hpp"

#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/isolation/cell/report.hpp"

namespace grader {
namespace {

bool can_make_process() {
  const pid_t pid = fork();
  if (pid == 0) {
    _exit(0);
  }
  check_step(pid > 0 || errno == EAGAIN, "try a process");
  while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return pid > 0;
}

}  // namespace

rlim_t processes_of_user() {
  constexpr rlim_t few = 64;
  rlimit before{};
  getrlimit(RLIMIT_NPROC, &before);
  rlim_t number = few;
  for (; number < before.rlim_max; number *= 2) {
    const rlimit trial{number, before.rlim_max};
    check_step(setrlimit(RLIMIT_NPROC, &trial) == 0,
               "try a limit on processes");
    if (can_make_process()) {
      break;
    }
  }
  setrlimit(RLIMIT_NPROC, &before);
  return number;
}

}  // namespace grader
