// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/keeper.hpp"

#include <array>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <linux/sched.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/isolation/cell/identity.hpp"
#include "grader/isolation/cell/memory_group.hpp"
#include "grader/isolation/cell/report.hpp"
#include "grader/isolation/cell/result_file.hpp"
#include "grader/isolation/cell/root.hpp"
#include "grader/isolation/cell/warden.hpp"
#include "grader/system/file_descriptor.hpp"
#include "grader/system/keeper.hpp"

namespace grader {
namespace {

constexpr std::uint64_t namespaces = CLONE_NEWUSER | CLONE_NEWPID |
                                     CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS |
                                     CLONE_NEWNET;

pid_t clone_into_namespaces() {
  clone_args arguments{};
  arguments.flags = namespaces;
  arguments.exit_signal = SIGCHLD;
  const long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
  check_step(pid >= 0, "make the namespaces of a cell");
  return static_cast<pid_t>(pid);
}

[[noreturn]] void run_warden(const CellOptions& options, Opened opened,
                             FileDescriptor gate) {
  try {
    if (opened.trees.empty()) {
      opened.trees = open_trees(options);
    }
    guard(options, std::move(opened), std::move(gate));
  } catch (const std::exception& failure) {
    report_failure(failure.what());
  }
  _exit(1);
}

sigset_t awaited_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  return signals;
}

// Once its first process is reaped all the others are, too.
void close_cell(pid_t warden) {
  const sigset_t signals = awaited_signals();
  while (waitpid(warden, nullptr, WNOHANG) == 0) {
    int signal = 0;
    sigwait(&signals, &signal);
    if (signal == SIGTERM) {
      kill(warden, SIGKILL);
    }
  }
}

}  // namespace

void keep(const CellOptions& options) {
  const sigset_t signals = awaited_signals();
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  // When the grader dies the cell is closed in order.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  std::array<int, 2> ends{};
  check_step(pipe2(ends.data(), O_CLOEXEC) == 0, "make a pipe");
  FileDescriptor gate(ends[0]);
  FileDescriptor opener(ends[1]);
  // Root can copy mounts, and see everything, only out here; anybody else only
  // in a namespace of their own.
  Opened opened;
  if (geteuid() == 0) {
    opened.trees = open_trees(options);
  }
  if (!options.taken.empty()) {
    opened.result = make_result_file(options.taken);
  }
  std::optional<MemoryGroup> group;
  if (options.memory > 0) {
    group.emplace(options.memory);
  }
  const pid_t warden = clone_into_namespaces();
  if (warden == 0) {
    opener.close();
    run_warden(options, std::move(opened), std::move(gate));
  }
  opened = {};
  map_identity(warden);
  if (group) {
    group->add(warden);
  }
  for (int number = 0; number < keeper_channel; ++number) {
    close(number);
  }
  gate.close();
  opener.close();
  close_cell(warden);
  report_closed(group ? group->kills() : 0);
}

}  // namespace grader
